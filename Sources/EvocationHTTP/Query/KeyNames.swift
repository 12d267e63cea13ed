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
