/// A type that shows one valid value of itself, for a library that has to learn its properties.
///
/// Repositories read a model's properties off its type, by decoding it from made-up values. A type
/// whose `init(from:)` refuses all of those, or has preconditions, says here what it would accept.
/// The value is never stored. Enums with raw values, and those that are `CaseIterable`, need none.
///
/// ```swift
/// extension Email: CodableExample {
///   static var example: Email { Email("someone@example.org") }
/// }
/// ```
public protocol CodableExample: Codable {
  /// A value from which the library learns the type's coding keys and what they hold.
  static var example: Self { get }
}
