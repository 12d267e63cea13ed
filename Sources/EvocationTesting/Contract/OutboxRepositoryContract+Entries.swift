import Evocation
import Foundation

// What concerns the entries.
extension OutboxRepositoryContract {
  static var entryChecks: [Check] {
    [
      emptiness, order, positions, instances, heads, references, replacing, moving, states,
      deleting, counting, leasing, holding,
    ]
  }

  private static var emptiness: Check {
    Check(rule: "A new queue has no entries, no lease, and is not held.") { trial in
      try await trial.look { transaction in
        try trial.same(transaction.isEmpty, true, "isEmpty")
          + trial.same(transaction.count(), OutboxCount(), "count()")
          + trial.same(transaction.lease, nil, "lease")
          + trial.same(transaction.isHeld, false, "isHeld")
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
        try transaction.records(after: positions[0], onlyHeads: false, limit: 2).map(\.id)
      }
      seen += trial.same(part, ["b", "c"], "The first two after a position")
      let isEmpty = try await trial.look { try $0.isEmpty }
      return seen + trial.same(isEmpty, false, "isEmpty")
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
        try transaction.records(after: .min, onlyHeads: false, limit: 9).map(\.id)
      }
      let isBehind = next[0].position > first[2].position
      return trial.same(order, ["a", "c", "d"], "The order")
        + trial.same(isBehind, true, "Standing behind")
    }
  }

  private static var instances: Check {
    Check(rule: "records(of:) gives an instance's entries, and hasRecords(of:) whether it has any.")
    {
      trial in
      let (one, two, three) = (trial.models[0], trial.models[1], trial.models[2])
      _ = try await trial.append(
        trial.entry("a", one), trial.entry("b", two), trial.entry("c", trial.change(one)))
      let queue = trial.repository.queueName
      return try await trial.look { transaction in
        let keys = try [one, two, three].map(transaction.key)
        let found = try keys.map { try transaction.records(of: $0).map(\.id) }
        let has = try keys.map { key in
          try transaction.hasRecords(of: Outbox.Reference(queue: queue, key: key))
        }
        let other = try transaction.hasRecords(
          of: Outbox.Reference(queue: queue + "?", key: keys[0]))
        return trial.same(found, [["a", "c"], ["b"], []], "records(of:)")
          + trial.same(has, [true, true, false], "hasRecords(of:)")
          + trial.same(other, false, "hasRecords(of:) of a queue that is not there")
      }
    }
  }

  private static var heads: Check {
    Check(rule: "onlyHeads gives the first entry of each instance, where that is not parked.") {
      trial in
      let (one, two, three) = (trial.models[0], trial.models[1], trial.models[2])
      let parked = Outbox.EntryState.parked(.permanent, reason: "no")
      let entries = try await trial.append(
        trial.entry("a", one), trial.entry("b", two, state: parked), trial.entry("c", one),
        trial.entry("d", two), trial.entry("e", three))
      var seen = trial.same(try await trial.heads(), ["a", "e"], "The heads")
      let later = try await trial.look { transaction in
        try transaction.records(after: entries[0].position, onlyHeads: true, limit: 9).map(\.id)
      }
      seen += trial.same(later, ["e"], "The heads after a position")
      try await trial.run { transaction in
        try transaction.delete(entries[0].position)
        try transaction.delete(entries[1].position)
      }
      seen += trial.same(try await trial.heads(), ["c", "d", "e"], "The heads after deletions")
      let first = try await trial.look { transaction in
        try transaction.records(after: .min, onlyHeads: true, limit: 1).map(\.id)
      }
      return seen + trial.same(first, ["c"], "The first head")
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
      entries[0].attempts = 7
      entries[0].wasAttempted = false
      entries[0].state = .parked(.permanent, reason: "no")
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
        + trial.same(try await trial.heads(), ["a", "c"], "The heads")
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
        + trial.same(try await trial.heads(), ["b"], "The heads")
    }
  }

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
      let count = try await trial.look { try $0.count() }
      return trial.same(
        count, OutboxCount(pending: 2, parked: 1, oldest: oldest.queuedAt), "count()")
    }
  }

  private static var leasing: Check {
    Check(rule: "The lease is the one that was set last.") { trial in
      let lease = OutboxLease(
        holder: "'me'", until: Date(timeIntervalSinceReferenceDate: 700_000_000.5))
      try await trial.run { try $0.setLease(lease) }
      let found = try await trial.look { try $0.lease }
      try await trial.run { try $0.setLease(nil) }
      let none = try await trial.look { try $0.lease }
      return trial.same(found, lease, "lease")
        + trial.same(none, nil, "lease after it was given up")
    }
  }

  private static var holding: Check {
    Check(rule: "The queue is held as long as was said, whoever has the lease.") { trial in
      try await trial.run { try $0.setHeld(true) }
      try await trial.run { try $0.setLease(OutboxLease(holder: "me", until: .distantFuture)) }
      let held = try await trial.look { try $0.isHeld }
      try await trial.run { try $0.setHeld(false) }
      let free = try await trial.look { try $0.isHeld }
      return trial.same(held, true, "isHeld") + trial.same(free, false, "isHeld afterwards")
    }
  }
}
