internal import Evocation

/// Values by text, without those that were not used for a long time.
///
/// Texts are compared by their bytes, like the ids that they mostly are.
struct RecentValues<Value> {
  /// How many values were used since `recent` was last full; up to twice as many are kept.
  private let room: Int
  private var recent: [ByteText: Value] = [:]
  private var older: [ByteText: Value] = [:]

  init(room: Int) {
    self.room = room
  }

  var isEmpty: Bool { recent.isEmpty && older.isEmpty }

  subscript(key: String) -> Value? {
    get { recent[ByteText(key)] ?? older[ByteText(key)] }
    set {
      let key = ByteText(key)
      recent[key] = newValue
      older[key] = nil
      guard recent.count > room else { return }
      older = recent
      recent = [:]
    }
  }

  /// Returns the value, and marks it as used.
  mutating func used(_ key: String) -> Value? {
    guard let value = self[key] else { return nil }
    self[key] = value
    return value
  }
}
