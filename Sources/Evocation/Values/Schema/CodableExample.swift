/// A type that has one valid value of itself, from which Evocation learns its properties.
///
/// Repositories learn a model's properties from its type, by decoding it from made-up values.
/// Conform a type if its `init(from:)` refuses all of those, or has preconditions. Evocation never
/// stores the value. Enums with raw values, and those that are `CaseIterable`, need no example.
///
/// A type that reads a key for some of its values only returns an example that encodes all keys, so
/// that a table has a column for each.
///
/// ```swift
/// extension Email: CodableExample {
///   static var example: Email { Email("someone@example.org") }
/// }
/// ```
public protocol CodableExample: Codable {
  /// A value from which Evocation learns the type's coding keys and the kinds of their values.
  static var example: Self { get }
}
