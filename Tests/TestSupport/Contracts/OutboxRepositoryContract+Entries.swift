import Evocation
import Foundation

// What concerns the entries.
extension OutboxRepositoryContract {
  static var entryChecks: [Check] {
    [
      emptiness, order, rows, positions, instances, single, pending, priorities, waiting, searching,
      renaming, versions, references, replacing, moving, states, saying, units, deleting, counting,
      leasing,
      holding,
    ]
  }

  private static var emptiness: Check {
    Check(rule: "A new queue has no entries, no lease, and is not held.") { trial in
      try await trial.look { transaction in
        try trial.same(transaction.isEmpty, true, "isEmpty")
          + trial.same(transaction.entries.count(), OutboxCount(), "count()")
          + trial.same(transaction.entries.lease, nil, "lease")
          + trial.same(transaction.entries.isHeld, false, "isHeld")
      }
    }
  }

  private static var order: Check {
    Check(rule: "Entries are kept as they are appended, and read in the order of positions.") {
      trial in
      let (one, two, three) = (trial.models[0], trial.models[1], trial.models[2])
      let waiting = Outbox.EntryState.waiting(
        until: Date(timeIntervalSinceReferenceDate: 2_000.25), reason: "later: 'ü\u{0}'")
      let entries = try await trial.append(
        trial.entry("a", two, .store),
        trial.entry("b", one, base: trial.change(one), state: waiting),
        trial.entry("c", three, .remove, state: .parked(.conflict, reason: "no")),
        trial.entry("d", two, .storeOrUpdate))
      let positions = entries.map(\.position)
      var seen = trial.same(positions.sorted(), positions, "append")
      seen += trial.same(Set(positions).count, 4, "The count of positions")
      seen += trial.same(try await trial.all(), entries.map(Trial.text), "All entries")
      let part = try await trial.look { transaction in
        try transaction.records(after: positions[0], limit: 2).map(\.id)
      }
      seen += trial.same(part, ["b", "c"], "The first two after a position")
      let isEmpty = try await trial.look { try $0.isEmpty }
      return seen + trial.same(isEmpty, false, "isEmpty")
    }
  }

  private static var rows: Check {
    Check(rule: "rows(of:after:) gives a queue's entries, and says why those are parked that are.")
    {
      trial in
      let entries = try await trial.append(
        trial.entry("a", trial.models[0]),
        trial.entry("b", trial.models[1], state: .parked(.conflict, reason: "no")),
        trial.entry("c", trial.models[0]))
      let queue = trial.repository.queueName
      func found(_ queue: String, _ position: Int64, _ limit: Int) async throws -> [String] {
        try await trial.look { transaction in
          try transaction.entries.rows(of: queue, after: position, limit: limit).map {
            "\($0.id) \($0.parked ?? "pending")"
          }
        }
      }
      return trial.same(
        try await found(queue, .min, 2), ["a pending", "b no"], "The first two rows")
        + trial.same(
          try await found(queue, entries[1].position, 9), ["c pending"], "Those after a position")
        + trial.same(try await found(queue + "?", .min, 9), [], "Those of another queue")
    }
  }

  private static var positions: Check {
    Check(rule: "append stands behind all others, at a position that no other entry has.") {
      trial in
      let first = try await trial.append(
        trial.entry("a", trial.models[0]), trial.entry("b", trial.models[1]),
        trial.entry("c", trial.models[2]))
      try await trial.run { try $0.delete(first[1].position) }
      let next = try await trial.append(trial.entry("d", trial.models[1]))
      let order = try await trial.look { transaction in
        try transaction.records(after: .min, limit: 9).map(\.id)
      }
      let isBehind = next[0].position > first[2].position
      return trial.same(order, ["a", "c", "d"], "The order")
        + trial.same(isBehind, true, "Standing behind")
    }
  }

  private static var instances: Check {
    Check(rule: "records(of:) gives an instance's entries, and ends(of:) where they begin and end.")
    {
      trial in
      let (one, two, three) = (trial.models[0], trial.models[1], trial.models[2])
      let entries = try await trial.append(
        trial.entry("a", one), trial.entry("b", two), trial.entry("c", trial.change(one)))
      let positions = entries.map(\.position)
      let queue = trial.repository.queueName
      return try await trial.look { transaction in
        let keys = try [one, two, three].map(transaction.key)
        let found = try keys.map { try transaction.records(of: $0).map(\.id) }
        let ends = try keys.map { key in
          try transaction.entries.ends(of: Outbox.Reference(queue: queue, key: key))
        }
        let other = try transaction.entries.ends(
          of: Outbox.Reference(queue: queue + "?", key: keys[0]))
        let wanted = [positions[0]...positions[2], positions[1]...positions[1], nil]
        return trial.same(found, [["a", "c"], ["b"], []], "records(of:)")
          + trial.same(ends, wanted, "ends(of:)")
          + trial.same(other, nil, "ends(of:) of a queue that is not there")
      }
    }
  }

  private static var single: Check {
    Check(rule: "record(at:) gives the entry at a position, and nothing where none is.") { trial in
      let entries = try await trial.append(trial.entry("a", trial.models[0]))
      let position = entries[0].position
      return try await trial.look { transaction in
        let found = try [position, position + 1, .min].map { try transaction.record(at: $0)?.id }
        let named = try ["a", "b"].map { try transaction.entries.row(withID: $0)?.position }
        return trial.same(found, ["a", nil, nil], "record(at:)")
          + trial.same(named, [position, nil], "row(withID:)")
      }
    }
  }

  private static var pending: Check {
    Check(rule: "pending(after:) gives what neither waits nor is parked, and take has it be so.") {
      trial in
      let (one, two, three) = (trial.models[0], trial.models[1], trial.models[2])
      let date = Date(timeIntervalSinceReferenceDate: 3_000)
      var fresh = trial.entry("d", two)
      fresh.wasAttempted = false
      let entries = try await trial.append(
        trial.entry("a", one), trial.entry("b", two, state: .waiting(until: date, reason: "")),
        trial.entry("c", three, state: .parked(.permanent, reason: "no")), fresh)
      var seen = trial.same(try await trial.pending(), ["a true", "d false"], "pending")
      let position = entries[0].position
      let later = try await trial.look { transaction in
        try transaction.entries.pending(after: position, limit: 1).map(\.id)
      }
      seen += trial.same(later, ["d"], "pending behind a position")
      try await trial.run { transaction in
        try transaction.entries.take(entries[1].position)
        try transaction.entries.take(entries[3].position)
      }
      return seen
        + trial.same(try await trial.pending(), ["a true", "b true", "d true"], "pending then")
    }
  }

  private static var waiting: Check {
    Check(rule: "due(by:) gives what has waited long enough, nextDue when, endWaits ends it.") {
      trial in
      func entry(_ id: String, _ index: Int, until seconds: Double, since: Double) -> Entry {
        let until = Date(timeIntervalSinceReferenceDate: seconds)
        var entry = trial.entry(
          id, trial.models[index], state: .waiting(until: until, reason: "later"))
        entry.waitsSince = Date(timeIntervalSinceReferenceDate: since)
        return entry
      }
      // The last one was told to wait by a clock that was set back since.
      _ = try await trial.append(
        entry("a", 0, until: 2_000, since: 900), entry("b", 1, until: 1_500, since: 900),
        entry("c", 2, until: 9_000, since: 8_000))
      let now = Date(timeIntervalSinceReferenceDate: 1_500)
      let (due, next) = try await trial.look { transaction in
        (
          try transaction.entries.due(by: now, limit: 9).map(\.id),
          try transaction.entries.nextDue()
        )
      }
      var seen = trial.same(due, ["b", "c"], "due(by:)") + trial.same(next, now, "nextDue()")
      try await trial.run { try $0.entries.endWaits() }
      seen += trial.same(
        try await trial.pending(), ["a true", "b true", "c true"], "pending after endWaits()")
      let none = try await trial.look { try $0.entries.nextDue() }
      return seen + trial.same(none, nil, "nextDue() then")
    }
  }

  private static var searching: Check {
    Check(rule: "searched is lowered by an entry before it that is changed or deleted.") { trial in
      let entries = try await trial.append(
        trial.entry("a", trial.models[0]), trial.entry("b", trial.models[1]),
        trial.entry("c", trial.models[2]))
      let positions = entries.map(\.position)
      func after(
        _ body: @escaping @Sendable (any Transaction) throws -> Void
      ) async throws -> Bool {
        try await trial.run { $0.entries.searched = positions[2] }
        try await trial.run(body)
        return try await trial.run { $0.entries.searched < positions[1] }
      }
      return trial.same(try await after { _ in }, false, "Lowered by nothing")
        + trial.same(try await after { try $0.replace(entries[1]) }, true, "Lowered by replace")
        + trial.same(try await after { try $0.setState(of: entries[1]) }, true, "By setState")
        + trial.same(
          try await after { try $0.entries.take(positions[1]) }, false, "Lowered by take")
        + trial.same(try await after { try $0.delete(positions[1]) }, true, "Lowered by delete")
    }
  }

  private static var priorities: Check {
    Check(rule: "Entries of low urgency are found apart from others, until promote makes them so.")
    {
      trial in
      var low = (trial.entry("b", trial.models[1]), trial.entry("c", trial.models[2]))
      (low.0.priority, low.1.priority) = (.utility, .utility)
      let positions = try await trial.append(
        trial.entry("a", trial.models[0]), low.0, low.1
      ).map(\.position)
      func found() async throws -> [[String]] {
        try await trial.look { transaction in
          try [false, true].map { isUtility in
            try transaction.entries.pending(
              within: positions[0]...(.max), limit: 9, isUtility: isUtility
            ).map(\.id)
          }
        }
      }
      var seen = trial.same(try await found(), [["a"], ["b", "c"]], "pending")
      let part = try await trial.look {
        try $0.entries.pending(within: positions[1]...positions[1], limit: 9, isUtility: true).count
      }
      seen += trial.same(part, 1, "The count of those at one position")
      // What was taken, or has waited, is as urgent as before.
      try await trial.run { transaction in
        try transaction.entries.take(positions[1])
        guard var entry = try transaction.record(at: positions[2])?.entry else { return }
        entry.state = .waiting(until: .distantFuture, reason: "busy")
        try transaction.setState(of: entry)
        try transaction.entries.endWaits()
      }
      seen += trial.same(try await found(), [["a"], ["b", "c"]], "pending after waiting")
      let searched = try await trial.run { transaction in
        (transaction.entries.searched, transaction.entries.searchedUtility) = (
          positions[2], positions[2]
        )
        try transaction.delete(positions[1])
        return [transaction.entries.searched, transaction.entries.searchedUtility]
      }
      seen += trial.same(
        searched, [positions[2], positions[1] - 1], "How far it was searched after delete")
      let promoted = try await trial.run { transaction in
        try [positions[2], positions[2]].map(transaction.entries.promote)
      }
      seen += trial.same(promoted, [true, false], "promote, twice")
      let last = try await trial.run { $0.entries.searched < positions[2] }
      return seen + trial.same(last, true, "Lowered by promote")
        + trial.same(try await found(), [["a", "c"], []], "pending after promote")
    }
  }

  private static var renaming: Check {
    Check(rule: "What an instance is called is kept until what it is called so is forgotten.") {
      trial in
      let former = Outbox.Reference(queue: trial.repository.queueName, key: "-1")
      let renaming = OutboxRenaming(key: "7", identity: Data(#"{"id":7}"#.utf8))
      try await trial.run { try $0.entries.record(renaming, of: former) }
      let found = try await trial.look { try $0.entries.renaming(of: former) }
      try await trial.run { transaction in
        try transaction.entries.forgetRenamings(
          to: Outbox.Reference(queue: former.queue, key: "7"))
      }
      let none = try await trial.look { try $0.entries.renaming(of: former) }
      return trial.same(found, renaming, "renaming(of:)") + trial.same(none, nil, "Afterwards")
    }
  }

  private static var versions: Check {
    Check(rule: "A model's version is the one that was set last.") { trial in
      let (one, two) = (trial.models[0], trial.models[1])
      try await trial.run { transaction in
        try transaction.setVersion("\"1\"", of: one)
        try transaction.setVersion("\"2\"", of: one)
        try transaction.setVersion("x", of: two)
        try transaction.setVersion(nil, of: two)
      }
      let found = try await trial.look { transaction in
        try [trial.change(one), two].map(transaction.version)
      }
      return trial.same(found, ["\"2\"", nil], "version(of:)")
    }
  }

  private static var references: Check {
    Check(rule: "records(referringTo:) gives the entries that refer to an instance now.") { trial in
      let (mine, other) = (
        Outbox.Reference(queue: "q", key: "1"), Outbox.Reference(queue: "q", key: "'1")
      )
      var entries = try await trial.append(
        trial.entry("a", trial.models[0], references: [mine, other]),
        trial.entry("b", trial.models[1]), trial.entry("c", trial.models[2], references: [mine]))
      var seen = trial.same(try await found(trial, mine), ["a", "c"], "records(referringTo:)")
      seen += trial.same(
        try await found(trial, other), ["a"], "records(referringTo:) of another key")
      let positions = entries.map(\.position)
      let (own, between, last) = try await trial.look { transaction in
        let entries = transaction.entries
        return (
          Set(try entries.references(of: positions[0])),
          try entries.firstReferring(to: mine, within: (positions[0] + 1)...positions[1]),
          try entries.firstReferring(to: mine, within: positions[1]...positions[2])
        )
      }
      seen += trial.same(own, [mine, other], "references(of:)")
      seen += trial.same(between, nil, "firstReferring(to:) between them")
      seen += trial.same(last, positions[2], "firstReferring(to:)")
      entries[0].references = [other]
      try await trial.run { [entries] transaction in
        try transaction.replace(entries[0])
        try transaction.delete(entries[2].position)
      }
      return seen
        + trial.same(try await found(trial, mine), [], "records(referringTo:) after changes")
        + trial.same(try await found(trial, other), ["a"], "records(referringTo:) of what stayed")
    }
  }

  private static func found(_ trial: Trial, _ reference: Outbox.Reference) async throws -> [String]
  {
    try await trial.look { try $0.records(referringTo: reference).map(\.id) }
  }

  private static var replacing: Check {
    Check(rule: "replace writes all of an entry, at its position.") { trial in
      var entries = try await trial.append(
        trial.entry("a", trial.models[0]), trial.entry("b", trial.models[1]))
      entries[0].id = "z"
      entries[0].kind = .remove
      entries[0].model = trial.change(entries[0].model)
      entries[0].base = trial.models[0]
      entries[0].seen = trial.models[2]
      entries[0].version = "\"3\""
      entries[0].attempts = 7
      entries[0].wasAttempted = false
      entries[0].state = .parked(.permanent, reason: "no")
      entries[0].words = words
      try await trial.run { [entries] in try $0.replace(entries[0]) }
      return trial.same(try await trial.all(), entries.map(Trial.text), "All entries")
    }
  }

  private static var moving: Check {
    Check(rule: "replace by an entry of another instance moves it there, in its order.") { trial in
      var entries = try await trial.append(
        trial.entry("a", trial.models[0]), trial.entry("b", trial.models[1]),
        trial.entry("c", trial.models[0]))
      entries[0].model = trial.models[1]
      try await trial.run { [entries] in try $0.replace(entries[0]) }
      let found = try await trial.look { transaction in
        try trial.models.prefix(2).map {
          try transaction.records(of: transaction.key(of: $0)).map(\.id)
        }
      }
      return trial.same(found, [["c"], ["a", "b"]], "records(of:)")
    }
  }

  private static var states: Check {
    Check(rule: "setState writes state, attempts and whether it was attempted, and no model.") {
      trial in
      let (one, two) = (trial.models[0], trial.models[1])
      var entries = try await trial.append(trial.entry("a", one, base: one), trial.entry("b", two))
      var given = entries[0]
      given.model = trial.change(one)
      given.base = nil
      (given.state, given.attempts) = (.parked(.authorization, reason: "no"), 9)
      given.wasAttempted = false
      try await trial.run { [given] in try $0.setState(of: given) }
      (entries[0].state, entries[0].attempts) = (given.state, 9)
      entries[0].wasAttempted = false
      return trial.same(try await trial.all(), entries.map(Trial.text), "All entries")
        + trial.same(try await trial.pending(), ["b true"], "pending")
    }
  }

  private static var words: ServiceWords {
    ServiceWords(status: 422, message: "\"no\"", fields: ["name": ["é", "'"], "owner.id": []])
  }

  private static var saying: Check {
    Check(rule: "What the service said is kept with a state, until the entry has another one.") {
      trial in
      let waiting = Outbox.EntryState.waiting(until: .distantPast, reason: "later")
      var seen: [String] = []
      for state in [waiting, .parked(.permanent, reason: "no")] {
        for ending in Ending.allCases {
          var given = try await trial.append(trial.entry("a", trial.models[0]))[0]
          let pending = given
          (given.state, given.words) = (state, words)
          let said = given
          try await trial.run { try $0.setState(of: said) }
          seen += trial.same(try await trial.all(), [Trial.text(said)], "setState with words")
          given.words = nil
          let wordless = given
          try await trial.run { transaction in
            switch ending {
            case .take: try transaction.entries.take(said.position)
            case .endWaits: try transaction.entries.endWaits()
            case .pending: try transaction.setState(of: pending)
            case .wordless: try transaction.setState(of: wordless)
            }
          }
          let left = try await trial.look { try $0.record(at: said.position)?.entry?.words }
          let isKept = ending == .endWaits && state != waiting
          seen += trial.same(left, isKept ? words : nil, "The words after \(ending)")
          try await trial.run { try $0.delete(said.position) }
        }
      }
      return seen
    }
  }

  private enum Ending: CaseIterable { case take, endWaits, pending, wordless }

  private static var deleting: Check {
    Check(rule: "delete takes one entry away, and nothing where none is.") { trial in
      let entries = try await trial.append(
        trial.entry("a", trial.models[0]), trial.entry("b", trial.models[0]))
      try await trial.run { transaction in
        try transaction.delete(entries[0].position)
        try transaction.delete(entries[0].position)
      }
      return trial.same(try await trial.all(), [Trial.text(entries[1])], "All entries")
    }
  }

  private static var counting: Check {
    Check(rule: "count says how many are pending and parked, and when the oldest was queued.") {
      trial in
      var oldest = trial.entry("a", trial.models[0], state: .parked(.conflict, reason: "no"))
      oldest.queuedAt = Date(timeIntervalSinceReferenceDate: 500)
      let waiting = Outbox.EntryState.waiting(until: oldest.queuedAt, reason: "later")
      _ = try await trial.append(
        oldest, trial.entry("b", trial.models[0]), trial.entry("c", trial.models[1], state: waiting)
      )
      let count = try await trial.look { try $0.entries.count() }
      return trial.same(
        count, OutboxCount(pending: 2, parked: 1, oldest: oldest.queuedAt), "count()")
    }
  }

  private static var leasing: Check {
    Check(rule: "The lease is the one that was set last.") { trial in
      let lease = OutboxLease(
        holder: "'me'", until: Date(timeIntervalSinceReferenceDate: 700_000_000.5),
        length: .seconds(15))
      try await trial.run { try $0.entries.setLease(lease) }
      let found = try await trial.look { try $0.entries.lease }
      try await trial.run { try $0.entries.setLease(nil) }
      let none = try await trial.look { try $0.entries.lease }
      return trial.same(found, lease, "lease")
        + trial.same(none, nil, "lease after it was given up")
    }
  }

  private static var holding: Check {
    Check(rule: "The queue is held as long as was said, whoever has the lease.") { trial in
      try await trial.run { try $0.entries.setHeld(true) }
      try await trial.run {
        try $0.entries.setLease(
          OutboxLease(holder: "me", until: .distantFuture, length: .seconds(9)))
      }
      let held = try await trial.look { try $0.entries.isHeld }
      try await trial.run { try $0.entries.setHeld(false) }
      let free = try await trial.look { try $0.entries.isHeld }
      return trial.same(held, true, "isHeld") + trial.same(free, false, "isHeld afterwards")
    }
  }
}
