import Evocation
import Foundation

/// The text of a value in a path or a query: as the models' encoder writes it.
struct ScalarText: Sendable {
  let encoder: @Sendable () -> JSONEncoder

  /// The text, or nil for null, and for NaN and infinity where the encoder has no text for them.
  func text(of scalar: Criteria.Scalar) -> String? {
    switch scalar {
    case .null: nil
    case .real(let value): value.isFinite ? scalar.exactText : coded(value)
    case .decimal(let value): value.isNaN ? nil : scalar.exactText
    case .date(let value): coded(value)
    case .data(let value): coded(value)
    case .bool, .integer, .unsigned, .text, .uuid, .url: scalar.exactText
    }
  }

  private func coded(_ value: some Encodable) -> String? {
    guard let json = try? encoder().encode([value]) else { return nil }
    if let texts = try? JSONDecoder().decode([String].self, from: json) { return texts.first }
    return String(decoding: json, as: UTF8.self).trimmingCharacters(in: ["[", "]", " ", "\n"])
  }
}
