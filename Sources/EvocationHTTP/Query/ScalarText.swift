import Evocation
import Foundation

/// The text of a value in a path or a query, as the models' encoder writes it.
struct ScalarText: Sendable {
  let encoder: @Sendable () -> JSONEncoder
  /// Returns the text of a UUID; in uppercase, like the encoder, by default.
  var uuid: @Sendable (UUID) -> String = { $0.uuidString }

  init(encoder: @escaping @Sendable () -> JSONEncoder) {
    self.encoder = encoder
  }

  /// Returns the text; nil for null, and for NaN and infinity if the encoder has no text for them.
  func text(of scalar: Criteria.Scalar) -> String? {
    switch scalar {
    case .null: nil
    case .real(let value): value.isFinite ? scalar.plainText : coded(value)
    case .decimal(let value): value.isNaN ? nil : scalar.exactText
    case .date(let value): coded(value)
    case .data(let value): coded(value)
    case .uuid(let value): uuid(value)
    case .bool, .integer, .unsigned, .text, .url: scalar.exactText
    }
  }

  private func coded(_ value: some Encodable) -> String? {
    guard let json = try? encoder().encode([value]) else { return nil }
    if let texts = try? JSONDecoder().decode([String].self, from: json) { return texts.first }
    return String(decoding: json, as: UTF8.self).trimmingCharacters(in: ["[", "]", " ", "\n"])
  }
}

/// By code points, as services read them: a combining mark behind a quote makes it another character.
extension String {
  /// Whether one of these code points is in it.
  func has(anyOf special: String) -> Bool {
    unicodeScalars.contains { special.unicodeScalars.contains($0) }
  }

  /// The text in double quotes, as in JSON.
  var inJSON: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    return json ?? "\"\""
  }

  /// Whether it begins or ends with a blank, of which Python has four more than Unicode.
  var hasBlankEnds: Bool {
    [unicodeScalars.first, unicodeScalars.last].contains { scalar in
      scalar.map { $0.properties.isWhitespace || (0x1C...0x1F).contains($0.value) } ?? false
    }
  }

  /// Returns the text with each of these code points escaped.
  func escaping(_ special: String, by escape: (Unicode.Scalar) -> String) -> String {
    var text = UnicodeScalarView()
    for scalar in unicodeScalars {
      let isSpecial = special.unicodeScalars.contains(scalar)
      text.append(
        contentsOf: isSpecial ? escape(scalar).unicodeScalars : UnicodeScalarView([scalar]))
    }
    return String(text)
  }
}
