import Evocation
import Foundation

/// The service's messages in the body of a refusal: about the whole request, and about single fields.
///
/// The body comes from the service, so every part that is taken from it is bounded.
struct HTTPRefusal {
  private(set) var message: String?
  private(set) var fields: [String: [String]] = [:]
  private(set) var meaning: HTTPError.Code?

  static let longestBody = 1 << 20
  private static let (longestText, mostFields) = (1000, 100)

  init(_ answer: HTTPAnswer, _ refusals: HTTPFormat.Refusals) {
    let isSmall = answer.body.count <= Self.longestBody
    let json = isSmall ? try? JSONSerialization.jsonObject(with: answer.body) : nil
    message = refusals.message.lazy.compactMap { Self.text(JSONPlace.value(json, at: $0)) }.first
    for place in refusals.fields where fields.isEmpty {
      guard place.isEmpty, let object = json as? [String: Any] else {
        add(JSONPlace.value(json, at: place), below: "", isTop: place.isEmpty)
        continue
      }
      // A key that holds errors of fields is not itself a field.
      let others = object.filter { !refusals.fields.contains($0.key) }
      add(others, below: "", isTop: true)
    }
    meaning = refusals.meaning(of: answer)
  }

  /// Adds the errors of fields from an object or an array in any of the usual forms.
  private mutating func add(_ value: Any?, below path: String, isTop: Bool = false) {
    if let object = value as? [String: Any] {
      // The error itself, as in Stripe, which may be that of one field.
      if !isTop, object["type"] is String, object["message"] is String {
        if let name = Self.field(object), let words = Self.words(object) { add([words], at: name) }
        return
      }
      for (name, inner) in object.sorted(by: { $0.key < $1.key }) {
        let place = path.isEmpty ? name : "\(path).\(name)"
        if let texts = Self.texts(inner), !(isTop && inner is String) {
          add(texts, at: place)
        } else if let words = Self.words(inner) {
          add([words], at: place)
        } else if isTop == (inner is [Any]) {
          add(inner, below: place, isTop: isTop)
        }
      }
    } else if let list = value as? [Any] {
      for case let entry as [String: Any] in list.prefix(Self.mostFields) {
        // Under a key that is not named in the format, only Pydantic's errors are known by their form.
        guard !isTop || entry["loc"] is [Any] else { continue }
        guard let name = Self.field(entry), let words = Self.words(entry) else { continue }
        add([words], at: name)
      }
    }
  }

  /// Returns the field that an error is about; for a JSON:API pointer, the part behind the attributes.
  private static func field(_ entry: [String: Any]) -> String? {
    let places = [
      "field", "name", "path", "property", "param", "extensions.field", "source.parameter",
    ]
    let name = places.lazy.compactMap { text(JSONPlace.value(entry, at: $0)) }.first
    if let name { return name }
    if let location = entry["loc"] as? [Any] { return field(at: location) }
    guard let pointer = text(JSONPlace.value(entry, at: "source.pointer")) else { return nil }
    var parts = pointer.split(separator: "/")[...]
    if parts.first == "data" { parts = parts.dropFirst() }
    if parts.count > 1, ["attributes", "relationships"].contains(parts.first) {
      parts = parts.dropFirst()
    }
    return parts.isEmpty ? nil : parts.joined(separator: ".")
  }

  /// Returns the field at a location of Pydantic, behind the part of the request that it begins with.
  ///
  /// It is nil for the whole body, and for a place in a body that is not JSON.
  private static func field(at location: [Any]) -> String? {
    var parts = location.prefix(mostFields).compactMap { text($0) ?? ($0 as? Int).map(String.init) }
    guard parts.count == location.count, let first = parts.first else { return nil }
    let isPart = ["query", "path", "header", "cookie"].contains(first) && parts.count > 1
    if first == "body" || isPart { parts.removeFirst() }
    return parts.contains { Int($0) == nil } ? parts.joined(separator: ".") : nil
  }

  /// Returns the sentence of an object that describes the error of one field.
  private static func words(_ value: Any) -> String? {
    guard let object = value as? [String: Any] else { return nil }
    let words = ["message", "detail", "msg", "description", "code"].lazy.compactMap { object[$0] }
    return words.first.flatMap(text)
  }

  private mutating func add(_ texts: [String], at place: String) {
    guard fields[place] != nil || fields.count < Self.mostFields else { return }
    fields[place, default: []] += texts.prefix(10)
  }

  private static func texts(_ value: Any) -> [String]? {
    if let text = text(value) { return [text] }
    guard let list = value as? [Any], !list.isEmpty else { return nil }
    let texts = list.compactMap(text)
    return texts.count == list.count ? texts : nil
  }

  private static func text(_ value: Any?) -> String? {
    (value as? String).map { String($0.prefix(longestText)) }
  }
}
