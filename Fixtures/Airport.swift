public import Foundation

/// An airport of the United States, as the service codes it.
public struct Airport: Codable, Identifiable, Sendable, Hashable {
  /// The code, such as `SFO`.
  public let id: String
  /// The name.
  public var name: String
  /// The city, nil where the source has none.
  public var city: String?
  /// The state's two letters, nil where the source has none.
  public var state: String?
  /// The country.
  public var country: String
  /// Degrees north of the equator.
  public var latitude: Double
  /// Degrees east of Greenwich.
  public var longitude: Double

  /// Makes an airport of its parts.
  public init(
    id: String, name: String, city: String? = nil, state: String? = nil, country: String = "USA",
    latitude: Double = 0, longitude: Double = 0
  ) {
    self.id = id
    self.name = name
    self.city = city
    self.state = state
    self.country = country
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The bundled file of all 3,376 airports, which the service serves at `/airports`.
  public static var file: URL { Bundle.module.bundleURL.appending(path: "airports.csv") }
}
