internal import Foundation

/// The proof that a property is what a model encodes under one key, and nothing computed from it.
///
/// Most functions return some values unchanged: a text that is in lower case already, a number
/// above zero, a Boolean while another one is true. So a property that may be computed has to
/// return what the model encodes for each of many values, and while all other values differ too.
struct KeyPathProof<Coded: Codable> {
  private let path: PartialKeyPath<Coded>
  private let fields: Fields
  private let leaves: [Fields.Leaf]
  /// The values that an enum may have in place of another one, as far as the type tells them.
  private let cases: [Field: [Field]]

  init(_ path: PartialKeyPath<Coded>, of model: Coded, fields: Fields) {
    (self.path, self.fields, leaves) = (path, fields, fields.leaves)
    cases = Self.cases(in: model)
  }

  /// Whether the key path is nothing but stored properties of structs, each without an observer.
  var isNeedless: Bool { MemoryLayout<Coded>.offset(of: path) != nil }

  /// Returns whether the property has been read with at least one other value under this key, and
  /// never differed from it.
  func holds(for leaf: Fields.Leaf) -> Bool {
    var isVaried = false
    for surrounding in [fields] + surroundings(of: leaf) {
      for changed in changes(of: leaf, in: surrounding) {
        guard let model = SchemaProbe.value(of: Coded.self, coded: changed),
          let coded = try? FieldEncoder.fields(of: model)
        else { continue }
        let field = coded.field(under: leaf.path) ?? .scalar(.null)
        guard Field(read: model[keyPath: path]) == field else { return false }
        isVaried = isVaried || field != leaf.field
      }
    }
    return isVaried
  }

  /// Returns the fields with each other value under the key, and without the objects around it.
  private func changes(of leaf: Fields.Leaf, in fields: Fields) -> [Fields] {
    let absent = (1..<leaf.path.count).map {
      fields.replacing(Array(leaf.path.prefix($0)), with: .scalar(.null))
    }
    return [fields] + values(for: leaf).map { fields.replacing(leaf.path, with: $0) } + absent
  }

  /// Returns the fields with other values under all other keys, as far as the type accepts them.
  private func surroundings(of leaf: Fields.Leaf) -> [Fields] {
    let others = leaves.filter { $0.path != leaf.path }
    return [true, false].flatMap { changesBooleans in
      Choice.allCases.map { choice in
        others.reduce(fields) { fields, other in
          if other.field.isBoolean, !changesBooleans { return fields }
          let changed = fields.replacing(other.path, with: choice.value(of: values(for: other)))
          return SchemaProbe.value(of: Coded.self, coded: changed) == nil ? fields : changed
        }
      }
    }
  }

  /// Which of a leaf's other values to take: the first one, or one of the last ones.
  private enum Choice: Int, CaseIterable {
    case null = 1
    case last, lastButOne, first

    func value(of values: [Field]) -> Field {
      let usual = values.first ?? .scalar(.null)
      return switch self {
      case .first: usual
      case .null: values.last ?? usual
      case .last, .lastButOne: values.count > rawValue ? values[values.count - rawValue] : usual
      }
    }
  }

  /// Returns other values than a leaf's, the last of which is null.
  private func values(for leaf: Fields.Leaf) -> [Field] {
    let values = (cases[leaf.field] ?? []) + leaf.field.otherValues
    return values.filter { $0 != leaf.field } + [.scalar(.null)]
  }

  private static func cases(in model: Any, depth: Int = 8) -> [Field: [Field]] {
    var found: [Field: [Field]] = [:]
    for child in Mirror(reflecting: model).children where depth > 0 {
      if let value = child.value as? any CaseIterable & Encodable {
        guard let field = try? FieldEncoder.field(of: value) else { continue }
        found[field, default: []] += fields(like: value)
      } else {
        found.merge(cases(in: child.value, depth: depth - 1)) { $0 + $1 }
      }
    }
    return found
  }

  private static func fields<Value: CaseIterable & Encodable>(like value: Value) -> [Field] {
    Value.allCases.prefix(50).compactMap { try? FieldEncoder.field(of: $0) }
  }
}

extension Field {
  /// Creates the field of a value that a key path has read; nil if that cannot be encoded.
  init?<Value>(read value: Value) {
    if let scalar = Criteria.Scalar(coded: value) {
      self = .scalar(scalar)
      return
    }
    guard let field = (value as? any Encodable).flatMap({ try? FieldEncoder.field(of: $0) }) else {
      return nil
    }
    self = field
  }

  fileprivate var isBoolean: Bool { if case .scalar(.bool) = self { true } else { false } }

  /// Other values of the same kind, which few functions return unchanged.
  fileprivate var otherValues: [Field] {
    switch self {
    case .scalar(let scalar): return scalar.otherValues.map { .scalar($0) }
    case .object: return []
    case .list(let elements):
      // Of several elements, in no order, and each of them twice.
      let samples =
        elements.isEmpty ? [.scalar(.text("")), .scalar(.integer(0))] : Array(elements.prefix(1))
      let several = samples.map { sample in
        Field.list((sample.otherValues + [sample]).reversed().flatMap { [$0, $0] })
      }
      return [.list([])] + several
    }
  }
}

extension Criteria.Scalar {
  /// Other values of the same kind, which few functions return unchanged.
  var otherValues: [Criteria.Scalar] {
    switch self {
    case .null: []
    case .bool(let value): [.bool(!value)]
    case .integer: [1, 0, 2, 100, -7, 123_456].map { .integer($0) }
    case .unsigned: [1, 0, 2, 100, 200, 123_456].map { .unsigned($0) }
    case .real: [1, 0, 2, 0.5, -7, 123_456.75].map { .real($0) }
    case .decimal: [1, 0, 2, -7, 123_456.75].map { .decimal($0) }
    case .date:
      [1, 86_400.5, -1_000_000_000.25, 3_000_000_000.75].map {
        .date(Date(timeIntervalSinceReferenceDate: $0))
      }
    case .uuid: Self.uuids.map { .uuid($0) }
    case .url:
      ["/a", "/b", "https://Example.com:8080/A/b.c?q=1#f"].compactMap { URL(string: $0) }
        .map { .url($0) }
    case .data: [.data(Data([1])), .data(Data()), .data(Data(0...255))]
    case .text: (ProbeInputs.texts + Self.oddTexts).map { .text($0) }
    }
  }

  private static let uuids = [UUID(), UUID()]

  /// Texts with white space, accents, both cases, digits and signs, one of them long.
  private static let oddTexts = [
    "e\u{301}\n", "-1.50",
    "A_b-c, d/e (f): 1234567890 \"g\"?! " + String(repeating: "Zy ", count: 99),
    " Äb",
  ]
}
