import Foundation

extension SchemaProbe {
  /// An example of a type: its own, or one for a type of Foundation's that takes few values.
  ///
  /// `URLComponents` even ends the program when its scheme is not one.
  static func example<Value>(of type: Value.Type) -> (any Codable)? {
    switch type {
    case let type as any CodableExample.Type: type.example
    case is Calendar.Type: Calendar(identifier: .gregorian)
    case is TimeZone.Type: TimeZone.gmt
    case is URLComponents.Type: URLComponents(string: "http://localhost/")
    default: nil
    }
  }
}
