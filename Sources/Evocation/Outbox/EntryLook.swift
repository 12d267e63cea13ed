import Foundation

/// One look through a store's entries for what is sent next, in a transaction.
struct EntryLook: Sendable {
  typealias Item = OutboxMachine.Item

  /// How many entries are looked at in one transaction.
  private static var most: Int { 1_000 }
  /// How long a lease of another process is at most, whatever the file says.
  private static var longestLease: Duration { .seconds(86_400) }

  let holder: String
  let lease: Duration
  /// Read before the transaction has waited for others, so that the lease is no longer than it seems.
  let (now, date): (Duration, Date)
  /// How long an entry is left alone at most, whatever its date says.
  let longestWait: Duration
  /// How many entries are looked at first, because as many as can be sent are mostly the next ones.
  let few: Int
  let reserve: @Sendable (OutboxRow) -> OutboxMachine.Verdict

  /// Looks through the entries; what is taken is sent once the transaction is kept.
  func run(
    _ look: OutboxMachine.Look, in entries: any OutboxEntries, taking items: inout [Item]
  ) throws -> OutboxMachine.Found {
    if try entries.isHeld { return .held }
    // The lease is renewed all the same while an attempt of an entry runs that is gone by now.
    if look.forEntries, try entries.isEmpty { return .looked(lease: nil, due: nil, isAtEnd: true) }
    if look.afresh { entries.searched = .min }
    let end: Duration
    switch try takeLease(entries) {
    case .mine(let until): end = until
    case .others(let rest): return .denied(rest)
    }
    if look.atOnce { try entries.endWaits() }
    guard look.forEntries else { return .looked(lease: end, due: nil, isAtEnd: true) }
    let isAtEnd = try take(&items, in: entries)
    return .looked(lease: end, due: try nextDue(entries), isAtEnd: isAtEnd)
  }

  /// Takes what can be sent beside an entry that has just ended; the lease must be this process's.
  func goOn(in entries: any OutboxEntries, taking items: inout [Item]) throws {
    guard try !entries.isHeld, case .mine = try takeLease(entries) else { return }
    _ = try take(&items, in: entries)
  }

  /// Whose the lease is, and until when or for how long.
  private enum Lease {
    case mine(Duration)
    case others(Duration)
  }

  /// Takes or renews the lease, where no other process has it.
  private func takeLease(_ entries: any OutboxEntries) throws -> Lease {
    if let present = try entries.lease {
      let rest = Duration(from: date, to: present.until) ?? .zero
      // Dates are rounded. One that lasts longer than it was long was taken by a clock that was set back.
      let isTrue =
        rest > .zero && rest <= min(present.length, Self.longestLease).adding(.seconds(1))
      if present.holder != holder, isTrue { return .others(rest) }
      if present.holder == holder, isTrue, rest > lease.multiplied(by: 0.6) {
        return .mine(now.adding(min(rest, lease)))
      }
    }
    let until = date.addingTimeInterval(lease.seconds)
    try entries.setLease(OutboxLease(holder: holder, until: until, length: lease))
    return .mine(now.adding(lease))
  }

  /// Takes entries that have waited long enough, and then those that are pending; says whether all were
  /// looked at.
  private func take(_ items: inout [Item], in entries: any OutboxEntries) throws -> Bool {
    for row in try entries.due(by: date, limit: Self.most) where try isFree(row, entries) {
      if try !take(row, &items, entries) { return false }
    }
    var count = 0
    while count < Self.most {
      let rows = try entries.pending(after: entries.searched, limit: count == 0 ? few : 200)
      guard let last = rows.last else { return true }
      for row in rows {
        if try isFree(row, entries), try !take(row, &items, entries) {
          entries.searched = row.position.subtractingClamped(1)
          return false
        }
      }
      entries.searched = last.position
      count += rows.count
    }
    return false
  }

  /// Takes an entry if it is sent now; says whether others may be.
  private func take(
    _ row: OutboxRow, _ items: inout [Item], _ entries: any OutboxEntries
  ) throws -> Bool {
    switch reserve(row) {
    case .taken(let item):
      items.append(item)
      try entries.take(row.position)
      return true
    case .passed: return true
    case .full: return false
    }
  }

  /// Whether nothing has to be sent before.
  ///
  /// The entries of a unit are behind the earlier ones of it, and the first one is behind whatever one of
  /// them is behind.
  private func isFree(_ row: OutboxRow, _ entries: any OutboxEntries) throws -> Bool {
    // A damaged file may name a unit that is not there.
    guard let unit = row.unit, let first = try entries.rows(ofUnit: unit, limit: 1).first else {
      return try isFree(row, from: row.position, entries)
    }
    guard first.position == row.position else { return false }
    // Once the unit has begun, nothing comes before one of it any more.
    let rows = row.position > unit ? [row] : try entries.rows(ofUnit: unit, limit: .max)
    return try rows.allSatisfy { try isFree($0, from: unit, entries) }
  }

  /// Whether nothing before a position has to be sent before an entry.
  ///
  /// An entry is behind those on its own instance, and behind earlier ones on the instances that it refers
  /// to; a removal is behind earlier ones that refer to its instance.
  private func isFree(
    _ row: OutboxRow, from start: Int64, _ entries: any OutboxEntries
  ) throws -> Bool {
    guard let first = try entries.ends(of: row.instance)?.lowerBound, first >= start else {
      return false
    }
    guard row.kind != .remove else {
      return try !entries.isReferredTo(row.instance, within: .min...start.subtractingClamped(1))
    }
    guard row.hasReferences else { return true }
    return try !entries.references(of: row.position).contains { reference in
      try reference != row.instance
        && entries.ends(of: reference).map { $0.lowerBound < start } ?? false
    }
  }

  /// When the next entry has waited long enough.
  private func nextDue(_ entries: any OutboxEntries) throws -> Duration? {
    try entries.nextDue().map { due in
      // One that is due by now could not be taken, and what keeps it back tells when it is over.
      let wait = Duration(from: date, to: due) ?? .seconds(1)
      return now.adding(min(wait > .zero ? wait : .seconds(1), longestWait))
    }
  }
}
