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

  /// The keys of the containers around this one, with a dot after each.
  let prefix: String

  private(set) var shapes: [Shape] = []
  private(set) var names: [String] = []
  private(set) var single: [ModelSchema.Kind] = []
  private(set) var singleIsOptional = false
  var asksForAllKeys = false

  private var slots: [String: Slot] = [:]
  private var optional: Set<String> = []
  private var elements: [Slot] = []

  init(prefix: String = "") {
    self.prefix = prefix
  }

  /// Returns the recorder of a nested container.
  func child(_ name: String?) -> SchemaRecorder {
    SchemaRecorder(prefix: prefix + (name ?? "") + ".")
  }

  func ask(_ shape: Shape) {
    if !shapes.contains(shape) { shapes.append(shape) }
  }

  /// Records a key whose kind is not known yet.
  func mention(_ name: String, mayBeAbsent: Bool = false) {
    if !names.contains(name) { names.append(name) }
    if mayBeAbsent { optional.insert(name) }
  }

  /// Records the kind of a key's value; the first one counts.
  func set(_ slot: Slot, for name: String, mayBeAbsent: Bool = false) {
    mention(name, mayBeAbsent: mayBeAbsent)
    if slots[name] == nil { slots[name] = slot }
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
    for name in other.names {
      let isNew = !names.contains(name)
      mention(name, mayBeAbsent: isNew || other.optional.contains(name))
      guard let slot = other.slots[name] else { continue }
      switch (slots[name], slot) {
      case (nil, _): slots[name] = slot
      case (.nested(let own), .nested(let nested)): own.join(nested, isWhole: isWhole)
      case (let own?, _):
        let (kind, added) = (own.kind(model: name), slot.kind(model: name))
        if kind != added { slots[name] = .kind(kind.union(added)) }
      }
    }
    if isWhole { optional.formUnion(names.filter { !other.names.contains($0) }) }
  }

  func properties(model: String) -> [ModelSchema.Property] {
    names.map { name in
      ModelSchema.Property(
        name: name, kind: slots[name]?.kind(model: model) ?? .json,
        isOptional: optional.contains(name)
      )
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
