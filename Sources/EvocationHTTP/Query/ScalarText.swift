import Evocation
import Foundation

/// The text of a value in a path or a query.
struct ScalarText {
  let encoder: @Sendable () -> JSONEncoder

  /// The text, or nil for null and for numbers that are none.
  func text(of scalar: Criteria.Scalar) throws -> String? {
    switch scalar {
    case .null: nil
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .real(let value): value.isFinite ? value.description : nil
    case .decimal(let value): value.isNaN ? nil : value.description
    case .text(let value): value
    case .date(let value): try text(of: value)
    case .uuid(let value): value.uuidString
    case .data(let value): value.base64EncodedString()
    case .url(let value): value.absoluteString
    }
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
