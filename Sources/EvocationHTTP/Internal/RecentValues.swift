internal import Evocation

/// Values by text, without those that were not used for a long time.
///
/// Texts are compared by their bytes, like the ids that they mostly are.
struct RecentValues<Value> {
  /// How many values were used since `recent` was last full; up to twice as many are kept.
  private let room: Int
  private var recent: [ByteText: Value] = [:]
  private var older: [ByteText: Value] = [:]
  private var left: [Value] = []

  init(room: Int) {
    self.room = room
  }

  var isEmpty: Bool { recent.isEmpty && older.isEmpty }

  subscript(key: String) -> Value? {
    get { recent[ByteText(key)] ?? older[ByteText(key)] }
    set {
      let key = ByteText(key)
      if let newValue {
        if let old = recent.updateValue(newValue, forKey: key) { left.append(old) }
      } else if let old = recent.removeValue(forKey: key) {
        left.append(old)
      }
      if !older.isEmpty, let old = older.removeValue(forKey: key) { left.append(old) }
      guard recent.count > room else { return }
      left += older.values
      older = recent
      recent = [:]
    }
  }

  mutating func removeAll() {
    left += recent.values
    left += older.values
    (recent, older) = ([:], [:])
  }

  /// Returns what is no longer kept, for the caller to release after a lock.
  mutating func takeLeft() -> [Value] {
    defer { left = [] }
    return left
  }

  /// Returns the value, and marks it as used.
  mutating func used(_ key: String) -> Value? {
    if let value = recent[ByteText(key)] { return value }
    guard let value = older[ByteText(key)] else { return nil }
    self[key] = value
    return value
  }
}
