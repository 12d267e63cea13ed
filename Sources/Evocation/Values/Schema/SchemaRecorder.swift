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

  private(set) var shapes: [Shape] = []
  private(set) var names: [String] = []
  private(set) var single: [ModelSchema.Kind] = []
  private(set) var singleIsOptional = false
  var asksForAllKeys = false

  private var slots: [String: Slot] = [:]
  private var optional: Set<String> = []
  private var elements: [Slot] = []

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

  /// Returns the requests that either recorder received.
  func joined(_ other: SchemaRecorder) -> SchemaRecorder {
    other.shapes.forEach(ask)
    other.single.forEach(set(single:))
    return self
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
      let kinds = Set(elements.map { $0.kind(model: model) })
      return .list(kinds.count == 1 ? kinds.first ?? .json : .json)
    case .single:
      return single.count == 1 ? single[0] : .json
    }
  }
}
