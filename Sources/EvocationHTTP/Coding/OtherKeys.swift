import Evocation

/// The keys of a service's models that their type does not have, such as those of a newer app.
///
/// A `PUT` replaces a model, so it gives back what the service has under them.
final class OtherKeys: Sendable {
  /// The keys of the type, and those that only the service writes, as an answer or a decoder has them.
  let known: [String]
  private let names: Set<String>
  private let found = Lock<Bool?>(nil)

  /// Creates the keys of a type of models; nil if no route replaces one, or if its keys are not known.
  init?(_ format: HTTPFormat, _ schema: ModelSchema?, names: KeyNames) {
    guard let schema, format.routes.replacesModels else { return nil }
    var known = schema.properties.map(\.name)
    known += [format.identifierKey.name] + format.readOnlyKeys.map(\.name).sorted()
    if case .property(let place) = format.version { known += JSONPlace.keys(place).prefix(1) }
    var all: [String] = []
    for name in known + known.map(names.name(ofCodingKey:)) where !all.contains(name) {
      all.append(name)
    }
    (self.known, self.names) = (all, Set(all))
  }

  /// Whether an answer has had such keys; nil before one was read.
  var areThere: Bool? { found.withLock(\.self) }

  /// Records whether the models of an answer have such keys.
  func record(_ hasSome: Bool) {
    found.withLock { $0 = hasSome || $0 == true }
  }

  /// Records the keys of a model.
  func record(_ keys: some Sequence<AnyKey>) {
    guard areThere != true else { return }
    record(keys.contains { isOne($0.stringValue) })
  }

  /// Whether a key is such a key, and none that services add to models, such as `_links` or `@odata.etag`.
  func isOne(_ key: String) -> Bool {
    !names.contains(key) && key.utf8.first.map(Self.beginsKey) == true
  }

  /// Whether a byte is a letter or a digit, or part of a letter beyond ASCII.
  static func beginsKey(_ byte: UInt8) -> Bool {
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return byte >= 0x80 || digits.contains(byte) || letters.contains(byte | 0x20)
  }
}

extension HTTPFormat.Routes {
  /// Whether a write replaces models.
  fileprivate var replacesModels: Bool {
    [updateOne, storeOrUpdateOne, update, storeOrUpdate].contains { $0?.replacesModel == true }
  }
}

extension HTTPFormat.Route {
  /// Whether the service removes the properties that a request does not have.
  var replacesModel: Bool { method.uppercased() == "PUT" && !sendsChanges }
}
