/// A car of the Auto MPG data set, with the service's coding keys.
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
