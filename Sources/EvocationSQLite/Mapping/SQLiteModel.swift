public import Evocation

/// A model that provides the name, the key and the indexes of its table.
///
/// ```swift
/// struct Wheel: SQLiteModel {
///   static let table = "wheels"
///   static let key: [Criteria.Key] = ["car", "place"]
///   static let indexes: [SQLiteIndex] = ["size", .unique("serial")]
///
///   var car: Int
///   var place: String
///   var size: Double
///   var serial: String?
///   var id: String { "\(car)/\(place)" }
/// }
/// ```
///
/// Conformance is optional. Each requirement has a default, which other models use. You can also
/// pass each value to `SQLiteRepository.init`, which overrides the model.
public protocol SQLiteModel: Codable, Identifiable, Sendable {
  /// The table's name; the type's name with a lowercase first letter by default.
  static var table: String { get }

  /// The coding keys that form the model's id; the key under which it encodes the id by default.
  static var key: [Criteria.Key] { get }

  /// The indexes and unique constraints of the table; none by default.
  static var indexes: [SQLiteIndex] { get }
}

extension SQLiteModel {
  /// The type's name with a lowercase first letter, without enclosing types.
  public static var table: String { TablePlan.defaultName("\(Self.self)") }

  /// The coding key under which the model encodes its id.
  public static var key: [Criteria.Key] { TablePlan.defaultKey(of: Self.self) }

  /// No indexes and no unique constraints.
  public static var indexes: [SQLiteIndex] { [] }
}
