import Evocation
import Foundation

/// A model type that `scripts/types` wrote, and what a trial has to know of it.
protocol GeneratedType: Codable, Identifiable, Sendable {
  /// Returns a model with the nth id and values as they come.
  static func random(_ v: inout Values, id n: Int) -> Self

  /// The keys that criteria may name.
  static var places: [Place] { get }

  /// The properties, with the coding keys that their key paths have to become.
  static var known: [Known<Self>] { get }

  /// What its repositories accept.
  static var facts: Facts { get }
}

/// What the repositories of a type accept.
struct Facts {
  /// The keys that lead to the id in the model's JSON; none if it is computed from several.
  let idPath: [String]

  /// Whether a table can have its id as a key.
  let isInSQLite: Bool

  /// Whether its id can be part of an address.
  let isOverHTTP: Bool
}

/// A property, and its coding key.
struct Known<Model> {
  let path: PartialKeyPath<Model>
  let key: String

  init(_ path: PartialKeyPath<Model>, _ key: String) {
    (self.path, self.key) = (path, key)
  }
}

/// A key that criteria may name, and the kind of what stands there.
struct Place {
  enum Kind { case number, bool, text, date, uuid, url, data, list, loose }

  let key: Criteria.Key
  let kind: Kind

  init(_ key: String, _ kind: Kind) {
    (self.key, self.kind) = (Criteria.Key(key), kind)
  }
}
