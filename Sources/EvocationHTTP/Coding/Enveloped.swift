import Foundation

/// What stands under the envelope's key.
struct Enveloped<Content: Decodable>: DecodableWithConfiguration {
  let content: Content

  init(from decoder: any Decoder, configuration key: EnvelopeKey) throws {
    content = try decoder.container(keyedBy: EnvelopeKey.self).decode(Content.self, forKey: key)
  }
}
