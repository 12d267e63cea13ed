/// Values by text, of which those that were not used for long are forgotten.
struct RecentValues<Value> {
  /// How many were used since `recent` was last full; twice as many are kept.
  private let room: Int
  private var recent: [String: Value] = [:]
  private var older: [String: Value] = [:]

  init(room: Int) {
    self.room = room
  }

  var isEmpty: Bool { recent.isEmpty && older.isEmpty }

  subscript(key: String) -> Value? {
    get { recent[key] ?? older[key] }
    set {
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
