import Evocation
import Foundation

/// The text of a value in a path or a query.
struct ScalarText {
  let encoder: @Sendable () -> JSONEncoder

  /// The text, or nil for null and for numbers that are none.
  func text(of scalar: Criteria.Scalar) throws -> String? {
    if scalar == .null { return nil }
    if case .real(let value) = scalar, !value.isFinite { return nil }
    if case .decimal(let value) = scalar, value.isNaN { return nil }
    if case .date(let value) = scalar { return try text(of: value) }
    return scalar.exactText
  }

  /// A date is written as in the models, or the service could not compare it with theirs.
  private func text(of date: Date) throws -> String {
    let json = try encoder().encode([date])
    if let texts = try? JSONDecoder().decode([String].self, from: json), let text = texts.first {
      return text
    }
    return String(decoding: json, as: UTF8.self).trimmingCharacters(in: ["[", "]", " ", "\n"])
  }
}
