import Foundation

/// One search of a store's entries for what to send next, in a transaction.
struct EntryLook: Sendable {
  typealias Item = OutboxMachine.Item

  /// The number of entries to look at in one transaction.
  private static var most: Int { 1_000 }
  /// The number of positions to look at in one statement, because any number of entries of low
  /// urgency may be before the next other one.
  private static var window: Int64 { 10_000 }
  /// The longest time that a lease of another process can have, even if the file says more.
  private static var longestLease: Duration { .seconds(86_400) }

  let holder: String
  let lease: Duration
  /// Read before the transaction has waited for others, so that the lease is no longer than it
  /// seems.
  let (now, date): (Duration, Date)
  /// Returns the present date, by which the lease of another process is judged.
  ///
  /// That process may have taken it while the transaction waited.
  let present: @Sendable () -> Date
  /// The longest time that an entry can wait, even if its date says more.
  let longestWait: Duration
  /// The number of entries to read first, because usually the next ones are those to send.
  let few: Int
  /// Begins the turn of entries of low urgency; false if other entries go first.
  let beginTurn: @Sendable () -> Bool
  /// Decides about an entry.
  let reserve: @Sendable (OutboxRow, OutboxMachine.Offer) -> OutboxMachine.Verdict

  /// Looks through the entries.
  ///
  /// The caller sends the taken ones once the transaction is committed.
  func run(
    _ look: OutboxMachine.Look, in entries: any OutboxEntries, taking items: inout [Item]
  ) throws -> OutboxMachine.Found {
    if try entries.isHeld { return .held }
    // The lease is renewed even while an attempt runs whose entry is gone by now.
    if look.forEntries, try entries.isEmpty { return .looked(lease: nil, due: nil, isAtEnd: true) }
    if let from = look.from { entries.search(from: from) }
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

  /// Takes what can be sent beside an entry that has just ended, if this process has the lease.
  func goOn(in entries: any OutboxEntries, taking items: inout [Item]) throws {
    guard try !entries.isHeld, case .mine = try takeLease(entries) else { return }
    _ = try take(&items, in: entries)
  }

  /// The owner of the lease, and until when it has it, or for how much longer.
  private enum Lease {
    case mine(Duration)
    case others(Duration)
  }

  /// Takes or renews the lease, if no other process has it.
  private func takeLease(_ entries: any OutboxEntries) throws -> Lease {
    let present = try entries.lease
    if let present {
      let rest = Duration(from: self.present(), to: present.until) ?? .zero
      // Dates are rounded. If it has longer to run than its length, the clock was set back since
      // then.
      let isTrue =
        rest > .zero && rest <= min(present.length, Self.longestLease).adding(.seconds(1))
      if present.holder != holder, isTrue { return .others(rest) }
      if present.holder == holder, isTrue, rest > lease.multiplied(by: 0.6) {
        return .mine(now.adding(min(rest, lease)))
      }
    }
    // What another process was sending, and may not have sent, lies before where it has searched.
    if present?.holder != holder { entries.search(from: .min) }
    let until = date.addingTimeInterval(lease.seconds)
    try entries.setLease(OutboxLease(holder: holder, until: until, length: lease))
    return .mine(now.adding(lease))
  }

  /// How far a search for entries came.
  private enum Progress {
    case isFull, isAtEnd, isAtLimit
  }

  /// Takes entries in their order; returns whether it looked at all.
  ///
  /// 1. Of low urgency, if that has its turn with a server.
  /// 2. The others, those whose wait is over before pending ones.
  /// 3. Of low urgency, once all others were looked at.
  /// 4. What the machine wants to go later, so that an entry that fails each time holds up no other.
  private func take(_ items: inout [Item], in entries: any OutboxEntries) throws -> Bool {
    let due = try entries.due(by: date, limit: Self.most).sorted(by: Self.failedLess)
    let (urgent, others) = (due.filter { !$0.isUtility }, due.filter(\.isUtility))
    var later: [OutboxRow] = []
    if beginTurn() {
      _ = try search(&items, later: &later, due: others, as: .turn, isUtility: true, in: entries)
    }
    var progress = try search(
      &items, later: &later, due: urgent, as: .first, isUtility: false, in: entries)
    if progress == .isAtEnd {
      progress = try search(
        &items, later: &later, due: others, as: .first, isUtility: true, in: entries)
    }
    later = Self.inOrder(later)
    var hasRoom = progress != .isFull
    while hasRoom, let row = later.first {
      hasRoom = try take(row, &items, later: &later, as: .last, entries: entries)
      if hasRoom { later.removeFirst() }
    }
    if later.isEmpty { return hasRoom && progress == .isAtEnd }
    // The next search begins with what is still to be offered.
    let waiting = Set(due.map(\.position))
    for row in later where !waiting.contains(row.position) {
      let before = row.position.subtractingClamped(1)
      entries[searched: row.isUtility] = min(entries[searched: row.isUtility], before)
    }
    return false
  }

  /// Orders entries that were put off: those that were never attempted, and then the others, what
  /// failed least often first.
  ///
  /// Of the former, it begins with one farther on after each entry that was attempted. If many fail
  /// each time, for example all of one type, it soon finds another one.
  private static func inOrder(_ later: [OutboxRow]) -> [OutboxRow] {
    let attempted = later.filter(\.wasAttempted).sorted(by: failedLess)
    let new = later.filter { !$0.wasAttempted }
    // Steps of the golden section are spread evenly, whatever their number.
    let part = (Double(attempted.count) * 0.618_034).truncatingRemainder(dividingBy: 1)
    let start = Int(part * Double(new.count))
    return new[start...] + new[..<start] + attempted
  }

  private static func failedLess(_ left: OutboxRow, _ right: OutboxRow) -> Bool {
    (left.attempts, left.position) < (right.attempts, right.position)
  }

  /// Takes entries of one priority: those whose wait is over, and then pending ones from where the
  /// last search ended.
  ///
  /// Of each unit it offers one entry, because the others are behind it. It skips the rest of a
  /// unit in a few steps, however large that is.
  private func search(
    _ items: inout [Item], later: inout [OutboxRow], due: [OutboxRow],
    as offer: OutboxMachine.Offer, isUtility: Bool, in entries: any OutboxEntries
  ) throws -> Progress {
    for row in due where try isFree(row, behind: first(ofUnitOf: row, entries), entries: entries) {
      if try !take(row, &items, later: &later, as: offer, entries: entries) { return .isFull }
    }
    var (count, unit) = (0, nil as Int64?)
    while count < Self.most {
      let start = entries[searched: isUtility].addingClamped(1)
      let end = isUtility ? .max : max(start, 1).addingClamped(Self.window)
      let rows = try entries.pending(
        within: start...end, limit: count == 0 ? few : 200, isUtility: isUtility)
      guard let last = rows.last else {
        if try pass(end, isUtility: isUtility, in: entries) { return .isAtEnd }
        count += Int(Self.window / 100)
        continue
      }
      // An entry that is promoted lowers it, and is offered next.
      entries[searched: isUtility] = last.position
      for row in rows where row.unit == nil || row.unit != unit {
        let first = try self.first(ofUnitOf: row, entries)
        unit = first?.unit
        guard try isFree(row, behind: first, entries: entries) else {
          if entries[searched: isUtility] >= last.position { continue }
          unit = nil
          break
        }
        if try !take(row, &items, later: &later, as: offer, entries: entries) {
          entries[searched: isUtility] = min(
            entries[searched: isUtility], row.position.subtractingClamped(1))
          return .isFull
        }
      }
      if let unit, last.unit == unit, entries[searched: isUtility] == last.position {
        entries[searched: isUtility] =
          try entries.lastPosition(ofUnit: unit, from: last.position)
      }
      count += rows.count
    }
    return .isAtLimit
  }

  /// Records that no entry up to a position can be sent; returns whether that was the last position.
  private func pass(
    _ position: Int64, isUtility: Bool, in entries: any OutboxEntries
  ) throws -> Bool {
    let next = try entries.nextPosition
    guard position < next else {
      entries[searched: isUtility] = next.subtractingClamped(1)
      return true
    }
    let first = try entries.row(from: position.addingClamped(1))?.position
    entries[searched: isUtility] = first?.subtractingClamped(1) ?? position
    return false
  }

  /// Takes an entry if it can be sent now, or puts it off; returns whether others may be taken.
  ///
  /// As the last one, all others were offered before.
  private func take(
    _ row: OutboxRow, _ items: inout [Item], later: inout [OutboxRow],
    as offer: OutboxMachine.Offer, entries: any OutboxEntries
  ) throws -> Bool {
    switch reserve(row, offer) {
    case .taken(let item):
      items.append(item)
      try entries.take(row.position)
    case .later: if offer != .last { later.append(row) }
    case .passed: break
    case .full: return false
    }
    return true
  }

  /// Returns the first entry of an entry's unit; nil for an entry of its own.
  ///
  /// A damaged file may name a unit that does not exist.
  private func first(
    ofUnitOf row: OutboxRow, _ entries: any OutboxEntries
  ) throws -> OutboxRow? {
    try row.unit.flatMap { try entries.rows(ofUnit: $0, limit: 1).first }
  }

  /// Whether no other entry has to be sent before this one.
  ///
  /// The entries of a unit are behind the earlier ones of the unit. The first one is behind
  /// everything that any entry of the unit is behind.
  private func isFree(
    _ row: OutboxRow, behind first: OutboxRow?, entries: any OutboxEntries
  ) throws -> Bool {
    guard let first, let unit = first.unit else {
      return try isFree(row, from: row.position, entries: entries)
    }
    guard first.position == row.position else { return false }
    // Once the unit has begun, nothing comes between its entries.
    let rows = row.position > unit ? [row] : try entries.rows(ofUnit: unit, limit: .max)
    return try rows.allSatisfy { try isFree($0, from: unit, entries: entries) }
  }

  /// Whether no entry before a position has to be sent before this one.
  ///
  /// What has to be sent before an entry that is not of low urgency is not of low urgency either.
  private func isFree(
    _ row: OutboxRow, from start: Int64, entries: any OutboxEntries
  ) throws -> Bool {
    guard let first = try entries.ends(of: row.instance)?.lowerBound else { return false }
    guard
      let before = first < start ? first : try predecessor(of: row, from: start, entries: entries)
    else { return true }
    if !row.isUtility { _ = try entries.promote(before) }
    return false
  }

  /// Returns the position of an entry on another instance that has to be sent before this one; nil
  /// for none.
  ///
  /// An entry is behind the entries on its own instance, and behind earlier ones on the instances
  /// that it refers to. A removal is behind earlier entries that refer to its instance.
  private func predecessor(
    of row: OutboxRow, from start: Int64, entries: any OutboxEntries
  ) throws -> Int64? {
    guard row.kind != .remove else {
      return try entries.firstReferring(
        to: row.instance, within: .min...start.subtractingClamped(1))
    }
    guard row.hasReferences else { return nil }
    for reference in try entries.references(of: row.position) where reference != row.instance {
      if let first = try entries.ends(of: reference)?.lowerBound, first < start { return first }
    }
    return nil
  }

  /// Returns when the wait of the next entry ends.
  private func nextDue(_ entries: any OutboxEntries) throws -> Duration? {
    try entries.nextDue().map { due in
      // An entry whose wait is over was not taken, and the event that frees it will be reported.
      let wait = Duration(from: date, to: due) ?? .seconds(1)
      return now.adding(min(wait > .zero ? wait : .seconds(1), longestWait))
    }
  }
}

extension OutboxEntries {
  /// Returns the position of the last entry of a unit that has an entry at this position.
  ///
  /// The entries of a unit are adjacent, so that a few rows show where they end.
  fileprivate func lastPosition(ofUnit unit: Int64, from position: Int64) throws -> Int64 {
    var (last, step) = (position, Int64(1))
    while let row = try row(from: last.addingClamped(step)), row.unit == unit {
      (last, step) = (row.position, step.addingClamped(step))
    }
    // No entry of the unit is so many positions after it, or more.
    while step > 1 {
      step /= 2
      if let row = try row(from: last.addingClamped(step)), row.unit == unit { last = row.position }
    }
    return last
  }
}
