import Evocation
import Foundation

/// Finds values by their places: keys with dots between them, such as `data.record`.
///
/// A key may itself have dots, such as `@odata.nextLink`. So a place is first taken as one key, and
/// then apart at each of its dots, the first dot first. `link[relation=next].url` is the `url` of the
/// first object in the array `link` whose `relation` is `next`, as FHIR has it.
enum JSONPlace {
  /// Returns the value at a place; a number in it is an index in an array, and `""` is the whole.
  static func value(_ json: Any?, at place: String) -> Any? {
    json.flatMap { json in
      find(place[...], in: json) { value, key in
        if let object = value as? [String: Any] {
          if let value = object[key] { return value }
          let chosen = Choice(key).flatMap { choice in
            (object[choice.key] as? [Any])?.first {
              ($0 as? [String: Any])?[choice.name] as? String == choice.value
            }
          }
          return chosen
        }
        guard let array = value as? [Any], let index = Int(key), array.indices.contains(index)
        else { return nil }
        return array[index]
      }
    }
  }

  /// Returns the text at a place, or a number there as its digits; nil for anything else.
  static func text(_ json: Any?, at place: String) -> String? {
    let value = value(json, at: place)
    return value as? String ?? (value as? NSNumber)?.stringValue
  }

  /// Returns the keys of a place that has to be written, where no key can be looked for.
  static func keys(_ place: String) -> [String] { place.split(separator: ".").map(String.init) }

  /// Returns the value at a place of any tree; nil if there is none.
  static func find<Node>(
    _ place: Substring, in node: Node, _ child: (Node, _ key: String) -> Node?
  ) -> Node? {
    guard !place.isEmpty else { return node }
    if let value = child(node, String(place)) { return value }
    for dot in place.indices where place[dot] == "." {
      let key = String(place[..<dot])
      if let inner = key.isEmpty ? node : child(node, key),
        let value = find(place[dot...].dropFirst(), in: inner, child)
      {
        return value
      }
    }
    return nil
  }
}

/// One of the objects in an array, by a text in it: `link[relation=next]`.
private struct Choice {
  let key: String
  let name: String
  let value: String

  /// Reads a choice; nil for a key that is none.
  init?(_ text: String) {
    guard text.hasSuffix("]"), let start = text.firstIndex(of: "[") else { return nil }
    let parts = text[text.index(after: start)...].dropLast()
      .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, start > text.startIndex else { return nil }
    (key, name, value) = (String(text[..<start]), String(parts[0]), String(parts[1]))
  }

  /// Returns the first object that it chooses.
  func decoder(in container: KeyedDecodingContainer<AnyKey>) -> (any Decoder)? {
    guard var list = try? container.nestedUnkeyedContainer(forKey: container.key(key)) else {
      return nil
    }
    while !list.isAtEnd {
      guard let element = try? list.superDecoder() else { return nil }
      if element.text(at: name) == value { return element }
    }
    return nil
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// Returns the key of a value; a decoder that converts keys has already converted it.
  func key(_ name: String) -> AnyKey {
    let key = AnyKey(name)
    guard !contains(key) else { return key }
    let words = name.split(separator: "_")
    let camel = words.dropFirst().reduce(into: String(words.first ?? "")) { $0 += $1.capitalized }
    return contains(AnyKey(camel)) ? AnyKey(camel) : key
  }
}

extension Decoder {
  /// Returns the decoder of the value at a place; nil if there is none.
  func decoder(at place: String) -> (any Decoder)? {
    JSONPlace.find(place[...], in: self as any Decoder) { decoder, name in
      guard let container = try? decoder.container(keyedBy: AnyKey.self) else { return nil }
      let key = container.key(name)
      if container.contains(key) { return try? container.superDecoder(forKey: key) }
      return Choice(name)?.decoder(in: container)
    }
  }

  /// Returns a text, a number or a Boolean at a place as a text; nil for anything else.
  func text(at place: String) -> String? {
    guard let value = try? decoder(at: place)?.singleValueContainer() else { return nil }
    if let text = try? value.decode(String.self) { return text }
    if let number = try? value.decode(Int64.self) { return String(number) }
    if let truth = try? value.decode(Bool.self) { return String(truth) }
    return (try? value.decode(Double.self)).map { "\($0)" }
  }
}
