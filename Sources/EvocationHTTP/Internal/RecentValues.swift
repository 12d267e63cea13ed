internal import Evocation

/// Values by text, of which those that were not used for long are forgotten.
///
/// Texts are told apart by their bytes, as the ids are that they mostly say.
struct RecentValues<Value> {
  /// How many were used since `recent` was last full; twice as many are kept.
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

  /// The value, which then counts as used.
  mutating func used(_ key: String) -> Value? {
    guard let value = self[key] else { return nil }
    self[key] = value
    return value
  }
}
