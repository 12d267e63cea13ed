/// A model of a common size.
struct Car: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var model = "Beetle"
  var year = 1970
}
