import Evocation
import Foundation

/// The service's names of the properties, as the models' encoder writes them.
final class KeyNames: Sendable {
  private let encoder: @Sendable () -> JSONEncoder
  private let known = Lock<[Criteria.Key: [String]]>([:])

  init(encoder: @escaping @Sendable () -> JSONEncoder) {
    self.encoder = encoder
  }

  /// Returns the name of each part of a key; a nested key has several parts.
  func parts(of key: Criteria.Key) -> [String] {
    if let parts = known.withLock({ $0[key] }) { return parts }
    let names = key.name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let parts = written(names)
    known.withLock { known in
      // Keys come from the app's criteria, which may contain what a user types.
      if known.count > 1000 { known = [:] }
      known[key] = parts
    }
    return parts
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
