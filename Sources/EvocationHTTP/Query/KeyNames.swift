import Evocation
import Foundation

/// The service's names of the properties, as the models' encoder writes them.
final class KeyNames: Sendable {
  private let encoder: @Sendable () -> JSONEncoder
  private let path: @Sendable (Criteria.Key) -> [String]?
  private let known = Lock<[Criteria.Key: [String]]>([:])

  /// Creates the names for an encoder.
  ///
  /// - Parameters:
  ///   - encoder: Returns the models' encoder.
  ///   - path: Returns the coding keys that a key with dots leads to, as the model has them; nil if
  ///     they are not known. A coding key may itself have dots.
  init(
    encoder: @escaping @Sendable () -> JSONEncoder,
    path: @escaping @Sendable (Criteria.Key) -> [String]? = { _ in nil }
  ) {
    self.encoder = encoder
    self.path = path
  }

  /// Returns the name of each part of a key; a nested key has several parts.
  func parts(of key: Criteria.Key) -> [String] {
    if let parts = known.withLock({ $0[key] }) { return parts }
    var names = [key.name]
    if key.name.contains(".") {
      let apart = key.name.split(separator: ".", omittingEmptySubsequences: false)
      names = path(key) ?? apart.map(String.init)
    }
    let parts = written(names)
    known.withLock { known in
      // Keys come from the app's criteria, which may contain what a user types.
      if known.count > 1000 { known = [:] }
      known[key] = parts
    }
    return parts
  }

  /// Returns the name of a coding key, even if it has dots.
  func name(ofCodingKey name: String) -> String {
    name.contains(".") ? written([name])[0] : parts(of: Criteria.Key(name))[0]
  }

  /// Returns a coding key that a decoder does not find again under the name that the encoder writes.
  ///
  /// An acronym is one under snake case: `avatarURL` is written as `avatar_url`, which is read as
  /// `avatarUrl`.
  func lost(
    _ codingKeys: [String], by decoder: JSONDecoder
  ) -> LostKey? {
    if case (.useDefaultKeys, .useDefaultKeys) = (
      encoder().keyEncodingStrategy, decoder.keyDecodingStrategy
    ) {
      return nil
    }
    for key in codingKeys {
      let name = written([key])[0]
      guard let object = try? JSONSerialization.data(withJSONObject: [name: 0]),
        let read = try? decoder.decode(ReadKeys.self, from: object).names, read != [key]
      else { continue }
      return LostKey(key: key, name: name, read: read.first ?? "nothing")
    }
    return nil
  }

  /// Encodes nested objects under the names, and reads the resulting names.
  private func written(_ names: [String]) -> [String] {
    let encoder = encoder()
    if case .useDefaultKeys = encoder.keyEncodingStrategy { return names }
    guard let data = try? encoder.encode(NestedName(names: names[...])),
      var rest = try? JSONSerialization.jsonObject(with: data)
    else { return names }
    var parts: [String] = []
    while let object = rest as? [String: Any], let (name, inner) = object.first {
      parts.append(name)
      rest = inner
    }
    return parts.count == names.count ? parts : names
  }
}

/// A coding key that is read under another name than it is written.
struct LostKey {
  let key: String
  let name: String
  let read: String
}

/// Nested objects, each with one key.
private struct NestedName: Encodable {
  let names: ArraySlice<String>

  func encode(to encoder: any Encoder) throws {
    guard let name = names.first else {
      var container = encoder.singleValueContainer()
      return try container.encode(0)
    }
    var container = encoder.container(keyedBy: AnyKey.self)
    try container.encode(NestedName(names: names.dropFirst()), forKey: AnyKey(name))
  }
}

/// The keys of an object, as a decoder reads them.
private struct ReadKeys: Decodable {
  let names: [String]

  init(from decoder: any Decoder) throws {
    names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
  }
}
