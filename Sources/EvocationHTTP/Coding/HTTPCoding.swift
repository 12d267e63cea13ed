import Evocation
import Foundation

/// Turns models into bodies and back, in the configured envelope.
struct HTTPCoding: Sendable {
  let configuration: HTTPConfiguration

  /// The body of a request.
  func body(
    _ models: [some Encodable], asArray: Bool, by route: HTTPConfiguration.Route
  ) throws -> Data {
    let content = models.map { RequestModel(model: $0, writesNulls: route.writesNulls) }
    guard !asArray, let one = content.first else { return try body(content) }
    return try body(one)
  }

  /// Decodes the body of an answer.
  func decode<Value: Decodable>(_ type: Value.Type, from body: Data) throws -> Value {
    let decoder = configuration.decoder()
    switch configuration.envelope {
    case .none:
      return try decoder.decode(type, from: body)
    case .key(let name):
      let key = AnyKey(name)
      return try decoder.decode(Enveloped<Value>.self, from: body, configuration: key).content
    }
  }

  private func body(_ content: some Encodable) throws -> Data {
    let encoder = configuration.encoder()
    return switch configuration.requestEnvelope {
    case .none: try encoder.encode(content)
    case .key(let name): try encoder.encode([name: content])
    }
  }
}

/// What stands under the envelope's key.
private struct Enveloped<Content: Decodable>: DecodableWithConfiguration {
  let content: Content

  init(from decoder: any Decoder, configuration key: AnyKey) throws {
    content = try decoder.container(keyedBy: AnyKey.self).decode(Content.self, forKey: key)
  }
}

/// A model as a request carries it.
struct RequestModel<Model: Encodable>: Encodable {
  let model: Model
  let writesNulls: Bool

  func encode(to encoder: any Encoder) throws {
    if writesNulls {
      try model.encode(to: NullWritingEncoder(base: encoder))
    } else {
      var container = encoder.singleValueContainer()
      try container.encode(model)
    }
  }
}
