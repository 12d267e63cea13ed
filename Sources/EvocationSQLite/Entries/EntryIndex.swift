internal import Evocation

/// What this process knows about the entries in a file, so that a write need not search for it.
///
/// The latest entries are not in the file's index yet. Each of its pages would be one more in the
/// commit, which costs as much as the entry ("storeOne, by the outbox"). They are known here
/// instead, and are added to the file's index ``batch`` at a time. Only the writer reads and
/// changes this value.
struct EntryIndex: Sendable {
  /// The number of entries here at which they are added to the file's index.
  static let batch = 1_024

  /// The `data_version` when it was read.
  ///
  /// If it differs, another process has changed the file.
  var dataVersion: SQLValue?

  /// Whether the app's SQL may have deleted entries since it was read.
  var isSuspect = false

  /// Whether this process has counted the entries in the file's index.
  var isCounted = false

  /// Whether the tables are known to have this version's layout.
  var isChecked = false

  /// The greatest position of an entry.
  var last: Int64 = 0

  /// The position up to which no entry can be sent, apart from those of low urgency.
  var searched = Int64.min

  /// The same for entries of low urgency.
  var searchedUtility = Int64.min

  /// Whether the file's index has entries.
  var isIndexUsed = false

  /// The entries that the file's index does not have: their positions by their instances.
  private(set) var tail: [Outbox.Reference: [Int64]] = [:]

  /// The number of these entries.
  private(set) var count = 0

  /// The last entries of instances that were never sent, and that this process has written or read.
  ///
  /// A write that is merged into one need not search for it ("updateOne again, by the outbox").
  private(set) var free: [Outbox.Reference: OutboxRow] = [:]
  private(set) var freeAt: [Int64: Outbox.Reference] = [:]

  /// The numbers of queues.
  var queues: [ByteText: Int64] = [:]

  func tail(of instance: Outbox.Reference) -> [Int64] { tail[instance] ?? [] }

  mutating func append(_ position: Int64, _ instance: Outbox.Reference) {
    forgetFree(of: instance)
    tail[instance, default: []].append(position)
    count += 1
    last = max(last, position)
  }

  mutating func recordFree(_ row: OutboxRow) {
    if free.count >= 4 * Self.batch { (free, freeAt) = ([:], [:]) }
    free[row.instance] = row
    freeAt[row.position] = row.instance
  }

  /// Records that no write can be merged into an entry any more, or only after reading it.
  mutating func forgetFree(at position: Int64) {
    if let instance = freeAt.removeValue(forKey: position) { free[instance] = nil }
  }

  /// Records that the last entry of an instance may be another one now.
  mutating func forgetFree(of instance: Outbox.Reference) {
    if let row = free[instance] { forgetFree(at: row.position) }
  }

  mutating func remove(_ position: Int64, _ instance: Outbox.Reference) {
    guard let place = tail[instance]?.firstIndex(of: position) else { return }
    tail[instance]?.remove(at: place)
    if tail[instance]?.isEmpty == true { tail[instance] = nil }
    count -= 1
  }

  /// Moves an entry to another instance; false if it is in the file's index.
  mutating func move(
    _ position: Int64, from old: Outbox.Reference, to new: Outbox.Reference
  ) -> Bool {
    guard tail[old]?.contains(position) == true else { return false }
    remove(position, old)
    tail[new, default: []].append(position)
    tail[new]?.sort()
    count += 1
    return true
  }

  /// Has the next search begin with this entry, or one before it.
  mutating func search(from position: Int64, ofUtilityOnly: Bool = false) {
    let before = position.subtractingClamped(1)
    searchedUtility = min(searchedUtility, before)
    if !ofUtilityOnly { searched = min(searched, before) }
  }

  /// Forgets the latest entries.
  mutating func clear() { (tail, count, isIndexUsed) = ([:], 0, false) }
}

extension Outbox.Reference {
  /// The values of the columns that name an instance.
  var values: [SQLValue] { [.text(queue), .text(key)] }

  /// Returns a number by which the file's index finds the entries of an instance.
  ///
  /// It consists of the queue's number and a hash of the key by FNV-1a.
  func lookup(_ queue: Int64) -> Int64 {
    var hash: UInt32 = 2_166_136_261
    for byte in key.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return queue << 32 | Int64(hash)
  }
}
