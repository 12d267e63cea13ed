/// The properties of a model type that a coder writes or reads, and the place of each.
package final class ModelLayout: Sendable {
  /// The names at each place.
  package let names: [String]
  private let slots: [String: PropertySlot]
  /// Whether the coder has all properties of the type.
  package let isWhole: Bool

  /// Creates the layout of a type's properties, of which the coder has those at `positions`.
  ///
  /// The kind is nil for a property that is not a single value, and has a JSON form.
  package init(_ properties: [(name: String, kind: ScalarKind?)], positions: [Int]) {
    names = positions.map { properties[$0].name }
    isWhole = positions.count == properties.count
    var slots: [String: PropertySlot] = [:]
    for property in properties { slots[property.name] = .elsewhere }
    for (place, position) in positions.enumerated() {
      slots[properties[position].name] = PropertySlot(place, properties[position].kind)
    }
    self.slots = slots
  }

  package func slot(_ name: String) -> PropertySlot { slots[name] ?? .unknown }

  /// Returns the name at the slot's place; nil if the coder does not have the property.
  func name(_ slot: PropertySlot) -> String? { slot.isThere ? names[Int(slot.place)] : nil }
}

/// A property's place in a coder, and how it holds values, in one word.
@usableFromInline package struct PropertySlot: Sendable {
  /// A key that has not been looked up yet.
  static var unlearned: PropertySlot { PropertySlot(bits: .max) }

  /// A key without a property.
  static var unknown: PropertySlot { PropertySlot(bits: .max - 1) }

  /// A property that the coder does not have.
  static var elsewhere: PropertySlot { PropertySlot(bits: .max - 2) }

  /// The code for JSON, in place of a kind.
  private static var json: UInt32 { 0xFF }

  private let bits: UInt32

  private init(bits: UInt32) { self.bits = bits }

  fileprivate init(_ place: Int, _ kind: ScalarKind?) {
    bits = UInt32(truncatingIfNeeded: place & 0xFFFF) | (kind?.rawValue ?? Self.json) << 16
  }

  /// Whether the coder has the property.
  package var isThere: Bool { bits < 0xFFFF_0000 }

  fileprivate var isUnlearned: Bool { bits == .max }
  package var isUnknown: Bool { bits >= .max - 1 }

  /// The property's place, from zero; impossible if the coder does not have it.
  package var place: Int32 { Int32(bits & 0xFFFF) }

  /// Whether the property holds single values, not JSON.
  package var isPlain: Bool { bits >> 16 < Self.json }

  /// Returns whether the property holds values of this kind.
  package func holds(_ kind: ScalarKind) -> Bool { bits >> 16 == kind.rawValue }
}

/// The slot of each coding key of one type, for one coder.
///
/// A synthesized key is an enum of one byte. The byte finds the slot without the key's name,
/// which is needed only once. Other keys are looked up by name each time.
package final class KeyMap {
  /// The slot for each possible byte of a key.
  package let slots: UnsafeMutablePointer<PropertySlot>  // "find all": no bounds, no exclusivity
  let type: Any.Type
  private let layout: ModelLayout

  /// The coder's container for these keys, which refers to the coder.
  var container: AnyObject?

  package init(_ layout: ModelLayout, _ type: Any.Type) {
    self.layout = layout
    self.type = type
    slots = .allocate(capacity: 256)
    slots.initialize(repeating: .unlearned, count: 256)
  }

  deinit {
    slots.deallocate()
  }

  @inline(__always)
  package func slot<Key: CodingKey>(_ key: Key) -> PropertySlot {
    guard MemoryLayout<Key>.size == 1 else { return find(key.stringValue) }
    let byte = Int(unsafeBitCast(key, to: UInt8.self))  // "find all": names cost a hash
    if slots[byte].isUnlearned { slots[byte] = find(key.stringValue) }
    return slots[byte]
  }

  @inline(never)
  func find(_ name: String) -> PropertySlot { layout.slot(name) }
}
