/// The model of the samples for those who come from Evocation 1.0.
struct Note: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var folder: String
  var text: String
}
