// Comparisons of text by options. A key path without a root cannot be the receiver of a call, so
// these are static functions, as the ones without options.
extension Criteria.Of {
  /// Returns criteria for models whose text equals this one by the options.
  public static func equals(
    _ path: KeyPath<Model, String>, _ text: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).equals(text, options: options))
  }

  /// Returns criteria for models whose optional text equals this one by the options.
  public static func equals(
    _ path: KeyPath<Model, String?>, _ text: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).equals(text, options: options))
  }

  /// Returns criteria for models whose text begins with this prefix by the options.
  public static func hasPrefix(
    _ path: KeyPath<Model, String>, _ prefix: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).hasPrefix(prefix, options: options))
  }

  /// Returns criteria for models whose optional text begins with this prefix by the options.
  public static func hasPrefix(
    _ path: KeyPath<Model, String?>, _ prefix: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).hasPrefix(prefix, options: options))
  }

  /// Returns criteria for models whose text contains this text by the options.
  public static func contains(
    _ path: KeyPath<Model, String>, _ text: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).contains(text, options: options))
  }

  /// Returns criteria for models whose optional text contains this text by the options.
  public static func contains(
    _ path: KeyPath<Model, String?>, _ text: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).contains(text, options: options))
  }

  /// Returns criteria for models whose list contains this text by the options.
  public static func contains(
    _ path: KeyPath<Model, [String]>, _ text: String, options: Criteria.CompareOptions
  ) -> Self {
    Self(Criteria.Key(path).contains(text, options: options))
  }
}
