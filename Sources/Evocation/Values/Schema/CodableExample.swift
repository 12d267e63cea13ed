/// A type that has valid values of itself, from which Evocation learns its properties.
///
/// Repositories learn a model's properties from its type, by decoding it from made-up values.
/// Conform a type if its `init(from:)` refuses all of those, or has preconditions. Evocation never
/// stores the values. Enums with raw values, and those that are `CaseIterable`, need no example.
///
/// ```swift
/// extension Email: CodableExample {
///   static var example: Email { Email("someone@example.org") }
/// }
/// ```
///
/// A type that has several shapes, as the items of a feed do, returns an example of each. Evocation
/// tries every case of an enum with raw values or of a `CaseIterable` type, both values of a Boolean,
/// and optional values with and without a value, so only other shapes need an example:
///
/// ```swift
/// extension FeedItem: CodableExample {
///   static var example: FeedItem { .post(Post(id: "1", title: "")) }
///   static var examples: [FeedItem] { [example, .photo(Photo(id: "1", url: "http://localhost/"))] }
/// }
/// ```
public protocol CodableExample: Codable {
  /// A value from which Evocation learns the type's coding keys and the kinds of their values.
  static var example: Self { get }

  /// One value of each shape that the type has; ``example`` alone by default.
  ///
  /// A key that only some of them encode may be absent.
  static var examples: [Self] { get }
}

extension CodableExample {
  /// The one example.
  public static var examples: [Self] { [example] }
}
