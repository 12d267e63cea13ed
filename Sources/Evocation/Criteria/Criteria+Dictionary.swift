import Foundation

extension Criteria: ExpressibleByDictionaryLiteral {
  /// The values of a dictionary literal.
  public typealias Value = (any CriteriaValue)?

  /// Makes equality on each key, joined by *and*; nil asks for models without a value there.
  public init(dictionaryLiteral elements: (Key, (any CriteriaValue)?)...) {
    // One key, which is most literals, needs no lists on the way (`findOne` of SQLite).
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

  /// The value that the key must equal, as it was given, or nil when the criteria do not say.
  public subscript(key: Key) -> (any CriteriaValue)? {
    for case .comparison(key, .equal, let operand) in predicate?.conjuncts ?? [] {
      return operand.original
    }
    return nil
  }
}

extension Criteria {
  /// Makes equality on each key from a dictionary of anything, as Evocation 1.0 took it.
  ///
  /// - Parameter dictionary: Keys and values; `NSNull` and a nil optional ask for models without
  ///   a value.
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

/// What is asked of an optional whose type is not known.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  var wrappedAny: Any? { map { $0 as Any } }
}
