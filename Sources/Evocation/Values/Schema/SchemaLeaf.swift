import Foundation

/// A type that is a single value here, whatever its own encoding would produce.
protocol SchemaLeaf: Decodable, SendableMetatype {
  static var scalarKind: ScalarKind { get }

  /// Returns a value for a probe.
  static func sample(_ inputs: ProbeInputs) -> Self

  /// Returns the value of an example; nil if that has another type.
  static func taken(from scalar: Criteria.Scalar) -> Self?
}

/// All types that are single values.
enum SchemaLeafs {
  static let all: [any SchemaLeaf.Type] = [
    Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
    UInt16.self, UInt32.self, UInt64.self, Double.self, Float.self, String.self, Decimal.self,
    Date.self, UUID.self, Data.self, URL.self,
  ]

  /// One of the types, with what is the same in all its samples.
  struct Known: Sendable {
    private let type: any SchemaLeaf.Type
    private let kind: ModelSchema.Kind

    init(_ type: any SchemaLeaf.Type) {
      (self.type, kind) = (type, .scalar(type.scalarKind))
    }

    /// Returns the value of an example, or else one that is made from the inputs.
    func sample(_ inputs: ProbeInputs, _ example: Field?) -> SchemaSample {
      if case .scalar(let scalar) = example, let taken = type.taken(from: scalar) {
        return sample(taken)
      }
      return sample(type.sample(inputs))
    }

    private func sample(_ value: any SchemaLeaf) -> SchemaSample {
      SchemaSample(value: value, others: (value as? Bool).map { [!$0] } ?? [], kind: kind)
    }
  }
}

extension SchemaLeaf {
  static func taken(from scalar: Criteria.Scalar) -> Self? { scalar.canonical as? Self }
}

extension SchemaLeaf where Self: FixedWidthInteger {
  static var scalarKind: ScalarKind { Self.max > Int64.max ? .unsigned : .integer }

  static func sample(_ inputs: ProbeInputs) -> Self { Self(truncatingIfNeeded: inputs.number) }

  static func taken(from scalar: Criteria.Scalar) -> Self? {
    if case .unsigned(let value) = scalar { return Self(exactly: value) }
    if case .integer(let value) = scalar { return Self(exactly: value) }
    return nil
  }
}

extension Int: SchemaLeaf {}
extension Int8: SchemaLeaf {}
extension Int16: SchemaLeaf {}
extension Int32: SchemaLeaf {}
extension Int64: SchemaLeaf {}
extension UInt: SchemaLeaf {}
extension UInt8: SchemaLeaf {}
extension UInt16: SchemaLeaf {}
extension UInt32: SchemaLeaf {}
extension UInt64: SchemaLeaf {}

extension Bool: SchemaLeaf {
  static var scalarKind: ScalarKind { .bool }
  static func sample(_ inputs: ProbeInputs) -> Bool { inputs.number != 0 }
}

extension String: SchemaLeaf {
  static var scalarKind: ScalarKind { .text }
  static func sample(_ inputs: ProbeInputs) -> String { inputs.text }
}

extension Double: SchemaLeaf {
  static var scalarKind: ScalarKind { .real }
  static func sample(_ inputs: ProbeInputs) -> Double { Double(inputs.number) }
}

extension Float: SchemaLeaf {
  static var scalarKind: ScalarKind { .real }
  static func sample(_ inputs: ProbeInputs) -> Float { Float(inputs.number) }
  static func taken(from scalar: Criteria.Scalar) -> Float? {
    Double.taken(from: scalar).map { Float($0) }
  }
}

extension Decimal: SchemaLeaf {
  static var scalarKind: ScalarKind { .decimal }
  static func sample(_ inputs: ProbeInputs) -> Decimal { Decimal(inputs.number) }
}

extension Date: SchemaLeaf {
  static var scalarKind: ScalarKind { .date }
  static func sample(_ inputs: ProbeInputs) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(inputs.number))
  }
}

extension UUID: SchemaLeaf {
  static var scalarKind: ScalarKind { .uuid }
  static func sample(_ inputs: ProbeInputs) -> UUID { inputs.isOdd ? other : made }
  private static let (made, other) = (UUID(), UUID())
}

extension Data: SchemaLeaf {
  static var scalarKind: ScalarKind { .data }
  static func sample(_ inputs: ProbeInputs) -> Data { Data(inputs.text.utf8) }
}

extension URL: SchemaLeaf {
  static var scalarKind: ScalarKind { .url }
  static func sample(_ inputs: ProbeInputs) -> URL { inputs.isOdd ? other : made }
  private static let made = URL(string: "http://localhost/") ?? URL(filePath: "/")
  private static let other = URL(string: "https://Example.com:8080/A/b.c?q=1#f") ?? made
}
