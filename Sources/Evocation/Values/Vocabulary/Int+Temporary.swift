internal import Foundation

// Ids for models whose ids the server makes.

extension Int {
  /// Returns an id for a new model until the server gives it one: a negative number.
  ///
  /// ```swift
  /// let draft = Draft(id: .temporary(), title: "a")
  /// ```
  ///
  /// It has 53 random bits, as many as every JSON parser keeps, so that no id comes twice, also after a
  /// restart and in another process. An id that came twice would name the first model forever.
  public static func temporary() -> Int { Int(clamping: Int64.temporary()) }
}

extension Int64 {
  /// Returns an id for a new model until the server gives it one: a negative number of 53 random bits.
  public static func temporary() -> Int64 { -Int64.random(in: 1..<1 << 53) }
}

extension String {
  /// Returns an id for a new model until the server gives it one: "temporary-" and a random UUID.
  public static func temporary() -> String { "temporary-\(UUID().uuidString)" }
}
