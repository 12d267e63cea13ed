/// The model of the samples.
struct Car: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var name: String
  var origin: String
  var year: Int
  var milesPerGallon: Double?
}
