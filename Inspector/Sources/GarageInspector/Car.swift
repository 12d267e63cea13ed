/// A car of the garage, as the service of the fixtures has it.
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

/// A remark of the owner, which only this device has.
struct Remark: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  var text: String
}
