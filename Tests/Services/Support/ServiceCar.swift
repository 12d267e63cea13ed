import Fixtures

/// A car as one of the services keeps it.
protocol ServiceCar: Codable, Identifiable, Hashable, Sendable where ID: Sendable & Hashable {
  /// Makes one of the data set's cars, or of others with further ids.
  init(_ car: Car)

  var name: String { get set }
  var weight: Int { get set }
  var origin: String { get set }
}

/// A row of Django REST framework, which gives new ones their ids.
typealias RowCar = Car

extension Car: ServiceCar {
  init(_ car: Car) { self = car }
}

/// A record of Kinto, whose ids are text, of letters, digits, hyphens and underscores.
struct RecordCar: ServiceCar {
  var id: String
  var name: String
  var milesPerGallon: Double?
  var cylinders: Int
  var displacement: Double
  var horsepower: Int?
  var weight: Int
  var acceleration: Double
  var year: Int
  var origin: String

  init(_ car: Car) {
    id = "car-\(car.id)"
    name = car.name
    milesPerGallon = car.milesPerGallon
    cylinders = car.cylinders
    displacement = car.displacement
    horsepower = car.horsepower
    weight = car.weight
    acceleration = car.acceleration
    year = car.year
    origin = car.origin
  }
}

/// A record of PocketBase, whose ids have 15 letters and digits, and whose numbers are never null.
struct BaseCar: ServiceCar {
  var id: String
  var name: String
  var milesPerGallon: Double
  var cylinders: Int
  var displacement: Double
  var horsepower: Int
  var weight: Int
  var acceleration: Double
  var year: Int
  var origin: String

  init(_ car: Car) {
    let number = "\(car.id)"
    id = "car" + String(repeating: "0", count: 12 - number.count) + number
    name = car.name
    milesPerGallon = car.milesPerGallon ?? 0
    cylinders = car.cylinders
    displacement = car.displacement
    horsepower = car.horsepower ?? 0
    weight = car.weight
    acceleration = car.acceleration
    year = car.year
    origin = car.origin
  }
}

/// A resource of JSON:API, whose ids are text, and which the service gives.
struct ResourceCar: ServiceCar {
  var id: String
  var name: String
  var milesPerGallon: Double?
  var cylinders: Int
  var displacement: Double
  var horsepower: Int?
  var weight: Int
  var acceleration: Double
  var year: Int
  var origin: String

  init(_ car: Car) {
    id = "\(car.id)"
    name = car.name
    milesPerGallon = car.milesPerGallon
    cylinders = car.cylinders
    displacement = car.displacement
    horsepower = car.horsepower
    weight = car.weight
    acceleration = car.acceleration
    year = car.year
    origin = car.origin
  }
}

/// A document of Eve, whose ids have 24 digits, and are called `_id`.
struct DocumentCar: ServiceCar {
  var id: String
  var name: String
  var milesPerGallon: Double?
  var cylinders: Int
  var displacement: Double
  var horsepower: Int?
  var weight: Int
  var acceleration: Double
  var year: Int
  var origin: String

  private enum CodingKeys: String, CodingKey {
    case id = "_id"
    case name, milesPerGallon, cylinders, displacement, horsepower, weight, acceleration, year
    case origin
  }

  init(_ car: Car) {
    let number = "\(car.id)"
    id = String(repeating: "0", count: 24 - number.count) + number
    name = car.name
    milesPerGallon = car.milesPerGallon
    cylinders = car.cylinders
    displacement = car.displacement
    horsepower = car.horsepower
    weight = car.weight
    acceleration = car.acceleration
    year = car.year
    origin = car.origin
  }
}

/// A car that the data set does not have.
func car(_ id: Int, _ name: String = "new", origin: String = "Europe") -> Car {
  Car(
    id: id, name: name, cylinders: 4, displacement: 1, horsepower: 1, weight: 1, acceleration: 1,
    year: 1999, origin: origin)
}
