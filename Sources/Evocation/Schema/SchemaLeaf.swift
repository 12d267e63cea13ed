import Foundation

/// A type that is a value by itself, whatever its own coding would make of it.
protocol SchemaLeaf: Decodable {
  static var schemaKind: ModelSchema.Kind { get }
  static func sample(_ answers: ProbeInputs) -> Self
  static func taken(from scalar: Criteria.Scalar) -> Self?
}

extension SchemaLeaf where Self: FixedWidthInteger {
  static var schemaKind: ModelSchema.Kind {
    Self.max > Int64.max ? .unsigned : .integer
  }

  static func sample(_ answers: ProbeInputs) -> Self { Self(answers.number) }

  static func taken(from scalar: Criteria.Scalar) -> Self? {
    switch scalar {
    case .integer(let value): Self(exactly: value)
    case .unsigned(let value): Self(exactly: value)
    case .null, .bool, .real, .decimal, .text, .date, .uuid, .data, .url: nil
    }
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
  static var schemaKind: ModelSchema.Kind { .bool }
  static func sample(_ answers: ProbeInputs) -> Bool { answers.number != 0 }
  static func taken(from scalar: Criteria.Scalar) -> Bool? {
    if case .bool(let value) = scalar { value } else { nil }
  }
}

extension String: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .text }
  static func sample(_ answers: ProbeInputs) -> String { answers.text }
  static func taken(from scalar: Criteria.Scalar) -> String? {
    if case .text(let value) = scalar { value } else { nil }
  }
}

extension Double: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .real }
  static func sample(_ answers: ProbeInputs) -> Double { Double(answers.number) }
  static func taken(from scalar: Criteria.Scalar) -> Double? {
    if case .real(let value) = scalar { value } else { nil }
  }
}

extension Float: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .real }
  static func sample(_ answers: ProbeInputs) -> Float { Float(answers.number) }
  static func taken(from scalar: Criteria.Scalar) -> Float? {
    if case .real(let value) = scalar { Float(value) } else { nil }
  }
}

extension Decimal: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .decimal }
  static func sample(_ answers: ProbeInputs) -> Decimal { Decimal(answers.number) }
  static func taken(from scalar: Criteria.Scalar) -> Decimal? {
    if case .decimal(let value) = scalar { value } else { nil }
  }
}

extension Date: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .date }
  static func sample(_ answers: ProbeInputs) -> Date {
    Date(timeIntervalSinceReferenceDate: Double(answers.number))
  }
  static func taken(from scalar: Criteria.Scalar) -> Date? {
    if case .date(let value) = scalar { value } else { nil }
  }
}

extension UUID: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .uuid }
  static func sample(_ answers: ProbeInputs) -> UUID { UUID() }
  static func taken(from scalar: Criteria.Scalar) -> UUID? {
    if case .uuid(let value) = scalar { value } else { nil }
  }
}

extension Data: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .data }
  static func sample(_ answers: ProbeInputs) -> Data { Data(answers.text.utf8) }
  static func taken(from scalar: Criteria.Scalar) -> Data? {
    if case .data(let value) = scalar { value } else { nil }
  }
}

extension URL: SchemaLeaf {
  static var schemaKind: ModelSchema.Kind { .url }
  static func sample(_ answers: ProbeInputs) -> URL {
    URL(string: "http://localhost/") ?? URL(filePath: "/")
  }
  static func taken(from scalar: Criteria.Scalar) -> URL? {
    if case .url(let value) = scalar { value } else { nil }
  }
}
