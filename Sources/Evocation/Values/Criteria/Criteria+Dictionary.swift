import Foundation

extension Criteria {
  /// The values of a dictionary literal.
  public typealias Value = (any CriteriaValue)?

  /// Creates criteria that compare each key for equality, joined by *and*.
  ///
  /// A nil value matches models that have no value for the key.
  public init(dictionaryLiteral elements: (Key, (any CriteriaValue)?)...) {
    // Most literals have one key and need no lists here (`findOne` of SQLite).
    if elements.count == 1 {
      let (key, value) = elements[0]
      self.init(.comparison(key, .equal, Operand(value)))
    } else {
      self.init(equalities: elements.map { ($0, Operand($1)) })
    }
  }

  init(equalities: [(Key, Operand)]) {
    let parts = equalities.map { Predicate.comparison($0, .equal, $1) }
    self.init(parts.count > 1 ? .all(parts) : parts.first)
  }

  /// The original value that the key must equal; nil if the criteria require none.
  public subscript(key: Key) -> (any CriteriaValue)? {
    for case .comparison(key, .equal, let operand) in predicate?.conjuncts ?? [] {
      return operand.original
    }
    return nil
  }
}

extension Criteria {
  /// Creates criteria that compare each key for equality, from a dictionary of any values.
  ///
  /// Evocation 1.0 took such dictionaries.
  ///
  /// - Parameter dictionary: Keys and values. `NSNull` and a nil optional match models that have no
  ///   value for the key.
  /// - Throws: ``EvocationError/incomparableValue(key:reason:)`` for a value that is not a
  ///   ``CriteriaValue``.
  public init(dictionary: [String: Any]) throws(EvocationError) {
    var equalities: [(Key, Operand)] = []
    for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      equalities.append((Key(name), try Operand(any: value, key: name)))
    }
    self.init(equalities: equalities)
  }
}

extension Criteria.Operand {
  init(any value: Any, key: String) throws(EvocationError) {
    switch value {
    case let value as any CriteriaValue:
      self.init(value)
    case is NSNull:
      self.init(nil)
    case let value as any OptionalValue:
      guard let wrapped = value.wrappedAny else {
        self.init(nil)
        return
      }
      try self.init(any: wrapped, key: key)
    case let value as any RawRepresentable:
      try self.init(any: value.rawValue as Any, key: key)
    default:
      throw .incomparableValue(
        key: key,
        reason: "a \(type(of: value)) is not a text, number, Boolean, date, UUID, data or URL; "
          + "make it conform to CriteriaValue"
      )
    }
  }
}

/// Access to an optional whose type the caller does not know.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrappedAny: Any? { map { $0 as Any } }
}
