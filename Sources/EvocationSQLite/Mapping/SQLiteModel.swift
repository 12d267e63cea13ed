public import Evocation

/// A model that says itself how its table is called, keyed and indexed.
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
/// A model need not conform: each of these has a default, which is what other models get, and each
/// can be given to `SQLiteRepository.init` instead, which then counts.
public protocol SQLiteModel: Codable, Identifiable, Sendable {
  /// The table's name; the type's name with a small first letter by default.
  static var table: String { get }

  /// The coding keys that the model's id is made of; `id` by default.
  static var key: [Criteria.Key] { get }

  /// The indexes and unique constraints of the table; none by default.
  static var indexes: [SQLiteIndex] { get }
}

extension SQLiteModel {
  /// The type's name with a small first letter, without what encloses it.
  public static var table: String { TablePlan.defaultName("\(Self.self)") }

  /// The coding key `id`.
  public static var key: [Criteria.Key] { ["id"] }

  /// No indexes and no unique constraints.
  public static var indexes: [SQLiteIndex] { [] }
}
