import Evocation
import Foundation

/// What stands under the envelope's key.
struct Enveloped<Content: Decodable>: DecodableWithConfiguration {
  let content: Content

  init(from decoder: any Decoder, configuration key: AnyKey) throws {
    content = try decoder.container(keyedBy: AnyKey.self).decode(Content.self, forKey: key)
  }
}
