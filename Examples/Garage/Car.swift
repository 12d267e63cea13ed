/// A car of the Auto MPG data set, as the service codes it.
struct Car: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var name: String
  var milesPerGallon: Double?
  var cylinders: Int
  var displacement: Double
  var horsepower: Int?
  var weight: Int
  var acceleration: Double
  var year: Int
  var origin: String
}
