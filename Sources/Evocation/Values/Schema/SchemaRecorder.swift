/// The requests that a decoder received.
///
/// Nested containers are filled after they are returned, so their kinds are read at the end.
final class SchemaRecorder {
  enum Slot {
    case kind(ModelSchema.Kind)
    case nested(SchemaRecorder)

    func kind(model: String) -> ModelSchema.Kind {
      switch self {
      case .kind(let kind): kind
      case .nested(let recorder): recorder.kind(model: model)
      }
    }
  }

  enum Shape {
    case keyed, unkeyed, single
  }

  /// A key that the type asked for; its slot is nil until its kind is known.
  private struct Entry {
    let name: String
    var slot: Slot?
    var mayBeAbsent: Bool
  }

  /// The keys of the containers around this one, with a dot after each.
  let prefix: String

  private(set) var shapes: [Shape] = []
  private(set) var single: [ModelSchema.Kind] = []
  private(set) var singleIsOptional = false
  var asksForAllKeys = false

  /// It is searched linearly, because models have too few keys for a dictionary to be faster.
  private var entries: [Entry] = []
  private var elements: [Slot] = []

  init(prefix: String = "") {
    self.prefix = prefix
  }

  /// The keys in the order in which the type asked for them.
  var names: [String] { entries.map(\.name) }

  /// Returns whether the type asked for exactly these keys in this order.
  func asked(for names: [String]) -> Bool {
    entries.elementsEqual(names) { $0.name == $1 }
  }

  /// Returns the recorder of a nested container.
  func child(_ name: String?) -> SchemaRecorder {
    SchemaRecorder(prefix: prefix + (name ?? "") + ".")
  }

  /// Returns the name of a key together with those of the containers around it.
  func path(of name: String) -> String { prefix.isEmpty ? name : prefix + name }

  func ask(_ shape: Shape) {
    if !shapes.contains(shape) { shapes.append(shape) }
  }

  /// Records a key whose kind is not known yet.
  func mention(_ name: String, mayBeAbsent: Bool = false) {
    let position = position(of: name)
    if mayBeAbsent { entries[position].mayBeAbsent = true }
  }

  /// Records the kind of a key's value; the first one counts.
  func set(_ slot: Slot, for name: String, mayBeAbsent: Bool = false) {
    let position = position(of: name)
    if mayBeAbsent { entries[position].mayBeAbsent = true }
    if entries[position].slot == nil { entries[position].slot = slot }
  }

  private func position(of name: String) -> Int {
    if let known = entries.lastIndex(where: { $0.name == name }) { return known }
    entries.append(Entry(name: name, mayBeAbsent: false))
    return entries.count - 1
  }

  func append(_ element: Slot) {
    elements.append(element)
  }

  func set(single kind: ModelSchema.Kind) {
    if !single.contains(kind) { single.append(kind) }
  }

  func mayBeNull() {
    singleIsOptional = true
  }

  /// Adds the requests for single values that the same type made in another run.
  func addSingles(_ other: SchemaRecorder) {
    other.shapes.forEach(ask)
    other.single.forEach(set(single:))
  }

  /// Adds the requests that the same type made for other values.
  ///
  /// A key that only some runs asked for may be absent. One that a run did not reach, because it
  /// failed before, says nothing.
  func join(_ other: SchemaRecorder, isWhole: Bool) {
    other.shapes.forEach(ask)
    asksForAllKeys = asksForAllKeys || other.asksForAllKeys
    let known = entries.count
    for entry in other.entries {
      let position = position(of: entry.name)
      if position >= known || entry.mayBeAbsent { entries[position].mayBeAbsent = true }
      join(entry, at: position, isWhole: isWhole)
    }
    guard isWhole else { return }
    for position in 0..<known where !other.asks(for: entries[position].name) {
      entries[position].mayBeAbsent = true
    }
  }

  private func join(_ entry: Entry, at position: Int, isWhole: Bool) {
    guard let slot = entry.slot else { return }
    switch (entries[position].slot, slot) {
    case (nil, _): entries[position].slot = slot
    case (.nested(let own), .nested(let nested)): own.join(nested, isWhole: isWhole)
    case (let own?, _):
      let (kind, added) = (own.kind(model: entry.name), slot.kind(model: entry.name))
      if kind != added { entries[position].slot = .kind(kind.union(added)) }
    }
  }

  private func asks(for name: String) -> Bool { entries.contains { $0.name == name } }

  func properties(model: String) -> [ModelSchema.Property] {
    entries.map { entry in
      ModelSchema.Property(
        name: entry.name, kind: entry.slot?.kind(model: model) ?? .json,
        isOptional: entry.mayBeAbsent)
    }
  }

  func kind(model: String) -> ModelSchema.Kind {
    guard shapes.count == 1, !asksForAllKeys else { return .json }
    switch shapes[0] {
    case .keyed:
      let properties = properties(model: model)
      return properties.isEmpty
        ? .json : .object(ModelSchema(model: model, properties: properties))
    case .unkeyed:
      return .list(.union(of: elements.map { $0.kind(model: model) }))
    case .single:
      return single.count == 1 ? single[0] : .json
    }
  }
}
