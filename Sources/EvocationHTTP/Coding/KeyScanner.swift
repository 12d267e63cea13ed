import Evocation
import Foundation

/// Looks through the bytes of an answer for the keys that the models of its list lack, and for others.
///
/// A decoder finds the same, but makes a dictionary of each model's keys for it, which takes half as long
/// as to decode the model (`prefetch 100,000`). The bytes need not be JSON: what the scanner does not
/// understand, it leaves to the decoder.
struct KeyScanner {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0
  /// The keys that models may lack, and then those that they have besides.
  private let names: [[UInt8]]
  /// Which name the next key was in the model before: models of a list mostly have one order.
  private var order: [Int] = []
  /// Whether a model has a key that is none of the names; nil if none is looked for.
  private var hasOthers: Bool?

  /// Returns the keys that each model of a list lacks, and records whether one has others.
  ///
  /// - Parameters:
  ///   - wanted: At most 64 keys.
  ///   - others: The keys besides those of the models; nil if they do not matter.
  ///   - key: The key of the object that has the list; empty if the answer is the list.
  ///   - body: The answer.
  /// - Returns: Nil if that does not follow from the bytes alone, for example because a key is escaped.
  static func absent(
    _ wanted: [AnyKey], _ others: OtherKeys? = nil, inListAt key: String, of body: Data
  ) -> AbsentKeys? {
    let others = others?.areThere == true ? nil : others
    var names = wanted.map(\.stringValue)
    for name in others?.known ?? [] where !names.contains(name) { names.append(name) }
    guard wanted.count <= 64, names.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } })
    else { return nil }
    return body.withUnsafeBytes { bytes in
      var scanner = KeyScanner(bytes: bytes, names: names.map { Array($0.utf8) })
      if others != nil { scanner.hasOthers = false }
      let key = Array(key.utf8)
      guard key.isEmpty || scanner.enter(key), let absent = scanner.list(wanted),
        key.isEmpty || scanner.leave(key)
      else { return nil }
      if absent.count > 0, let hasOthers = scanner.hasOthers { others?.record(hasOthers) }
      return absent
    }
  }

  private init(bytes: UnsafeRawBufferPointer, names: [[UInt8]]) {
    (self.bytes, self.names) = (bytes, names)
  }

  /// Goes to the value of a key of the object that begins here.
  private mutating func enter(_ key: [UInt8]) -> Bool {
    guard take("{") else { return false }
    while let name = self.key() {
      if bytes[name].elementsEqual(key) { return true }
      guard skipValue(), take(",") else { return false }
    }
    return false
  }

  /// Goes to the end of the object; false if it has the key once more.
  private mutating func leave(_ key: [UInt8]) -> Bool {
    while take(",") {
      guard let name = self.key(), !bytes[name].elementsEqual(key), skipValue() else {
        return false
      }
    }
    return take("}")
  }

  private mutating func list(_ wanted: [AnyKey]) -> AbsentKeys? {
    var absent = AbsentKeys()
    guard take("[") else { return nil }
    if take("]") { return absent }
    let all = wanted.isEmpty ? 0 : UInt64.max >> UInt64(64 - wanted.count)
    // Models that lack the same keys share them.
    var sets: [UInt64: Set<String>] = [0: []]
    repeat {
      guard let found = object(wanted.count) else { return nil }
      let missing = all & ~found
      if let known = sets[missing] {
        absent.append(known)
      } else {
        let lacked = wanted.indices.filter { missing & (1 << UInt64($0)) != 0 }
        let keys = Set(lacked.map { wanted[$0].stringValue })
        if sets.count < 64 { sets[missing] = keys }
        absent.append(keys)
      }
    } while take(",")
    return take("]") ? absent : nil
  }

  /// Returns which of the first names are keys of the object that begins here, a bit for each.
  ///
  /// It is nil if there is no object.
  private mutating func object(_ count: Int) -> UInt64? {
    guard take("{") else { return nil }
    if take("}") { return 0 }
    var (found, position): (UInt64, Int) = (0, 0)
    repeat {
      guard let key = key() else { return nil }
      let index = name(of: key, at: position)
      position += 1
      if let index, index < count { found |= 1 << UInt64(index) }
      guard skipValue() else { return nil }
    } while take(",")
    return take("}") ? found : nil
  }

  /// Returns which of the names a key is; nil for none.
  private mutating func name(of key: Range<Int>, at position: Int) -> Int? {
    let former = position < order.count ? order[position] : -1
    if former >= 0, isKey(key, names[former]) { return former }
    let index = names.indices.first { isKey(key, names[$0]) }
    if index == nil, hasOthers == false, !key.isEmpty, OtherKeys.beginsKey(bytes[key.lowerBound]) {
      hasOthers = true
    }
    guard position < names.count else { return index }
    while order.count <= position { order.append(-1) }
    order[position] = index ?? -1
    return index
  }

  private func isKey(_ key: Range<Int>, _ name: [UInt8]) -> Bool {
    name.count == key.count && bytes[key].elementsEqual(name)
  }

  /// Takes a key and its colon; nil for none, and for a key that is more than plain ASCII.
  private mutating func key() -> Range<Int>? {
    guard take("\"") else { return nil }
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      if bytes[place] >= 0x80 || bytes[place] == UInt8(ascii: "\\") { return nil }
      place += 1
    }
    let end = place
    return take("\"") && take(":") ? start..<end : nil
  }

  /// Goes past the value that begins here, to what follows it.
  private mutating func skipValue() -> Bool {
    var depth = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        guard skipText() else { return false }
        if depth == 0 { return true }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The end of what is around a number or a word.
        if depth == 0 { return true }
        depth -= 1
        if depth == 0 {
          place += 1
          return true
        }
      case UInt8(ascii: ",") where depth == 0: return true
      default: break
      }
      place += 1
    }
    return false
  }

  private mutating func skipText() -> Bool {
    place += 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""):
        place += 1
        return true
      case UInt8(ascii: "\\"): place += 2
      default: place += 1
      }
    }
    return false
  }

  /// Takes a sign, after any white space; returns whether it stands here.
  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: sign):
        place += 1
        return true
      case 0x20, 0x0a, 0x0d, 0x09: place += 1
      default: return false
      }
    }
    return false
  }
}
