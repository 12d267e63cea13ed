public import Foundation

/// A car of the Auto MPG data set, the model of this package's tests and examples.
public struct Car: Codable, Identifiable, Sendable, Hashable {
  /// The car's place in the data set, from 1.
  public let id: Int
  /// The make and model, in lower case.
  public var name: String
  /// Miles per US gallon, nil where it was not measured.
  public var milesPerGallon: Double?
  /// The number of cylinders.
  public var cylinders: Int
  /// The engine's displacement in cubic inches.
  public var displacement: Double
  /// The engine's power in horsepower, nil where it was not measured.
  public var horsepower: Int?
  /// The weight in pounds.
  public var weight: Int
  /// The seconds from 0 to 60 miles per hour.
  public var acceleration: Double
  /// The model year, with its century.
  public var year: Int
  /// The region of the maker: `USA`, `Europe` or `Japan`.
  public var origin: String

  /// Makes a car of its parts.
  public init(
    id: Int, name: String, milesPerGallon: Double? = nil, cylinders: Int, displacement: Double,
    horsepower: Int? = nil, weight: Int, acceleration: Double, year: Int, origin: String
  ) {
    self.id = id
    self.name = name
    self.milesPerGallon = milesPerGallon
    self.cylinders = cylinders
    self.displacement = displacement
    self.horsepower = horsepower
    self.weight = weight
    self.acceleration = acceleration
    self.year = year
    self.origin = origin
  }

  /// The bundled file of all 406 cars, which the service serves at `/cars`.
  public static var file: URL { Bundle.module.bundleURL.appending(path: "cars.json") }

  /// Reads the 406 cars of the bundled file, in the order of their ids.
  public static func all() throws -> [Car] {
    try JSONDecoder().decode([Car].self, from: Data(contentsOf: file))
  }
}
