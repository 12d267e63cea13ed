import Evocation
import EvocationTesting
import Foundation

// What concerns the models.
extension OutboxRepositoryContract {
  static var modelChecks: [Check] {
    [keys, rows, inserting, ownWrites, unsent, removedAreNotUnsent, others]
  }

  private static var keys: Check {
    Check(rule: "key(of:) is the same for the same id, and for no other.") { trial in
      try await trial.look { transaction in
        let keys = try trial.models.map(transaction.key)
        return try trial.same(
          trial.models.map { try transaction.key(of: trial.change($0)) }, keys, "key(of:)")
          + trial.same(Set(keys).count, trial.models.count, "The count of keys")
      }
    }
  }

  private static var rows: Check {
    Check(rule: "put, held and remove write and read the repository's models.") { trial in
      let (one, two) = (trial.models[0], trial.models[1])
      try await trial.run { transaction in
        try transaction.put(one, before: nil)
        try transaction.put(two, before: nil)
      }
      try await trial.run { transaction in
        try transaction.put(trial.change(one), before: one)
        try transaction.remove(two)
      }
      let held = try await trial.look { try $0.held(one) }
      let none = try await trial.look { try $0.held(two) }
      return trial.same(held, trial.change(one), "held")
        + trial.same(none, nil, "held of a removed one")
        + trial.same(try await trial.held(), ["\(trial.change(one))"], "find")
    }
  }

  private static var inserting: Check {
    Check(rule: "insert adds a model, and does nothing where one with its id is there.") { trial in
      let model = trial.models[0]
      let added = try await trial.run { transaction in
        (try transaction.insert(model), try transaction.insert(trial.change(model)))
      }
      return trial.same(added.0, true, "insert") + trial.same(added.1, false, "The second insert")
        + trial.same(try await trial.held(), ["\(model)"], "find")
    }
  }

  private static var ownWrites: Check {
    Check(rule: "A transaction reads what it has written itself.") { trial in
      let (one, two) = (trial.models[0], trial.models[1])
      let seen = try await trial.run { transaction in
        try transaction.put(one, before: nil)
        let position = try transaction.append(trial.entry("a", one))
        try transaction.append(trial.entry("b", two))
        try transaction.delete(position)
        let ids = try transaction.records(after: .min, limit: 9).map(\.id)
        return (try transaction.held(one), ids, try transaction.isEmpty)
      }
      return trial.same(seen.0, one, "held") + trial.same(seen.1, ["b"], "All entries")
        + trial.same(seen.2, false, "isEmpty")
    }
  }

  private static var unsent: Check {
    Check(
      rule:
        "unsent returns models with entries that match, in the requested order, beyond any limit."
    ) { trial in
      _ = try await trial.repository.store(trial.models)
      let chosen = try await trial.repository.find(Criteria()).value.suffix(2)
      try await trial.run { transaction in
        for model in chosen.reversed() {
          try transaction.put(trial.change(model), before: model)
          try transaction.append(trial.entry("of \(model.id)", trial.change(model)))
        }
      }
      let all = try await trial.look { try $0.unsent(matching: Criteria()) }
      let backward = try await trial.look { transaction in
        try transaction.unsent(matching: Criteria().sorted(by: "id", descending: true).limit(1))
      }
      let wanted = chosen.map(trial.change)
      return trial.same(all, wanted, "unsent")
        + trial.same(backward, wanted.reversed(), "unsent in the other order")
    }
  }

  private static var removedAreNotUnsent: Check {
    Check(rule: "unsent leaves out models that the local store does not have.") { trial in
      _ = try await trial.append(trial.entry("a", trial.models[0], .remove))
      let found = try await trial.look { try $0.unsent(matching: Criteria()) }
      return trial.same(found, [], "unsent")
    }
  }

  private static var others: Check {
    Check(rule: "A transaction returns itself for its own repository.") { trial in
      try await trial.run { transaction in
        try transaction.append(trial.entry("a", trial.models[0]))
        let other = transaction.transaction(for: trial.repository)
        let ids = try other?.records(after: .min, limit: 9).map(\.id)
        return trial.same(ids, ["a"], "The same transaction")
      }
    }
  }
}

// What concerns whole commits.
extension OutboxRepositoryContract {
  static var commitChecks: [Check] {
    [
      rollingBack, cancelling, oneState, observers, queueObservers, identity, queueing, queueingOne,
      taken, sparing,
    ]
  }

  private static var rollingBack: Check {
    Check(
      rule: "A transaction whose body throws leaves everything as it was, and notifies no observer."
    ) {
      trial in
      let (one, two) = (trial.models[0], trial.models[1])
      _ = try await trial.repository.store([one])
      let entries = try await trial.append(trial.entry("a", one), trial.entry("b", two))
      let told = Lock(0)
      let models = trial.repository.observeChanges { _ in told.withLock { $0 += 1 } }
      let queue = trial.repository.observeQueue { told.withLock { $0 += 1 } }
      do {
        try await trial.run { transaction in
          try transaction.put(trial.change(one), before: one)
          try transaction.put(two, before: nil)
          try transaction.append(trial.entry("c", one))
          try transaction.delete(entries[0].position)
          var changed = entries[1]
          changed.state = .parked(.permanent, reason: "no")
          try transaction.setState(of: changed)
          changed.model = trial.models[2]
          try transaction.replace(changed)
          try transaction.entries.setLease(
            OutboxLease(holder: "me", until: .distantFuture, length: .seconds(9)))
          try transaction.entries.setHeld(true)
          throw RolledBack()
        }
        return ["It threw nothing."]
      } catch is RolledBack {}
      models.cancel()
      queue.cancel()
      let (lease, isHeld) = try await trial.look { (try $0.entries.lease, try $0.entries.isHeld) }
      let found = try await trial.look { transaction in
        try transaction.records(of: transaction.key(of: one)).map(\.id)
      }
      return trial.same(try await trial.all(), entries.map(Trial.text), "All entries")
        + trial.same(found, ["a"], "records(of:)")
        + trial.same(try await trial.held(), ["\(one)"], "find") + trial.same(lease, nil, "lease")
        + trial.same(isHeld, false, "isHeld")
        + trial.same(told.withLock { $0 }, 0, "The count of tellings")
    }
  }

  private static var cancelling: Check {
    Check(rule: "A transaction of a cancelled task throws CancellationError and does nothing.") {
      trial in
      let gate = Gate()
      let task = Task {
        try? await gate.pass()
        _ = try await trial.append(trial.entry("a", trial.models[0]))
      }
      task.cancel()
      let error = await task.result
      var seen: [String] = []
      if case .failure(let error) = error {
        if !(error is CancellationError) { seen.append("It threw \(error).") }
      } else {
        seen.append("It threw nothing.")
      }
      return seen + trial.same(try await trial.all(), [], "All entries")
    }
  }

  private static var oneState: Check {
    Check(rule: "A look sees one state, with all of a transaction or with none of it.") { trial in
      let writes = Task {
        for number in 0..<40 {
          try await trial.run { transaction in
            for record in try transaction.records(after: .min, limit: 9) {
              try transaction.delete(record.position)
            }
            for (model, name) in zip(trial.models, ["a", "b"]) {
              try transaction.append(trial.entry("\(name)\(number)", model))
            }
          }
        }
      }
      func isWhole() async throws -> Bool {
        try await trial.look { transaction in
          let ids = try transaction.records(after: .min, limit: 9).map(\.id)
          let count = try transaction.entries.count().pending
          return count == ids.count && (ids.isEmpty || Set(ids.map { $0.dropFirst() }).count == 1)
            && [0, 2].contains(count)
        }
      }
      var torn = 0
      for _ in 0..<40 where try await !isWhole() { torn += 1 }
      try await writes.value
      if try await !isWhole() { torn += 1 }
      return trial.same(torn, 0, "The count of looks that saw a part")
    }
  }

  private static var observers: Check {
    Check(
      rule: "After a commit, the models' observers receive all that it changed, each model once."
    ) {
      trial in
      let (one, two, three) = (trial.models[0], trial.models[1], trial.models[2])
      _ = try await trial.repository.store([one, two])
      let told = Lock<[String]>([])
      let observation = trial.repository.observeChanges { change in
        guard case .models(let stored, let updated, let removed) = change.extent else {
          return told.withLock { $0.append("unknown") }
        }
        let text = "\(stored), \(updated.map(\.after)), \(removed)"
        told.withLock { $0.append(text) }
      }
      try await trial.run { transaction in
        try transaction.put(three, before: nil)
        try transaction.put(trial.change(three), before: three)
        try transaction.put(trial.change(one), before: one)
        try transaction.remove(two)
      }
      observation.cancel()
      let wanted = "\([trial.change(three)]), \([trial.change(one)]), \([two])"
      return trial.same(told.withLock { $0 }, [wanted], "What was told")
    }
  }

  private static var queueObservers: Check {
    Check(
      rule:
        "After each commit that changed entries, the queue's observers are notified, until the end."
    ) {
      trial in
      let told = Lock(0)
      let observation = trial.repository.observeQueue { told.withLock { $0 += 1 } }
      let entries = try await trial.append(trial.entry("a", trial.models[0]))
      var seen = trial.same(told.withLock { $0 }, 1, "The count of tellings after append")
      try await trial.run { try $0.delete(entries[0].position) }
      seen += trial.same(told.withLock { $0 }, 2, "The count of tellings after delete")
      observation.cancel()
      _ = try await trial.append(trial.entry("b", trial.models[0]))
      return seen + trial.same(told.withLock { $0 }, 2, "The count of tellings after the end")
    }
  }

  private static var identity: Check {
    Check(rule: "The queue's name and the store's identity stay the same.") { trial in
      let (name, identity) = (trial.repository.queueName, trial.repository.storeIdentity)
      _ = try await trial.append(trial.entry("a", trial.models[0]))
      return trial.same(trial.repository.queueName, name, "queueName")
        + trial.same(trial.repository.storeIdentity == identity, true, "Being the same store")
        + trial.same(name.isEmpty, false, "Having no name")
        + trial.same(
          trial.repository.shares(with: trial.repository), true, "Sharing it with itself")
    }
  }

  private static var queueing: Check {
    Check(rule: "A write with an outbox changes the models and queues them, and reports it.") {
      trial in
      let model = trial.models[0]
      let note = OutboxNote<Model>(queuedAt: Date(timeIntervalSinceReferenceDate: 5))
      let commit = try await trial.repository.commit(
        StoreWrite([.store([model])], outbox: note))
      _ = try await trial.repository.commit(
        StoreWrite([.update([trial.change(model), trial.models[1]])], outbox: note))
      let records = try await trial.look { try $0.records(after: .min, limit: 9) }
      let entries = records.compactMap(\.entry)
      return trial.same(commit.answers, [[model]], "The answer")
        + trial.same(commit.isPending, true, "isPending")
        + trial.same(entries.map(\.kind), [.store], "The kinds")
        + trial.same(entries.map(\.model), [trial.change(model)], "The models")
        + trial.same(try await trial.held(), ["\(trial.change(model))"], "find")
    }
  }

  private static var queueingOne: Check {
    Check(rule: "queue does what a write with an outbox does.") { trial in
      let model = trial.models[0]
      let note = OutboxNote<Model>(queuedAt: Date(timeIntervalSinceReferenceDate: 5))
      let repository = trial.repository
      let stored = try await repository.queue(.store, [model], note: note)
      let absent = try await repository.queue(.update, [trial.models[1]], note: note)
      let removed = try await repository.queue(.remove, [trial.models[2]], note: note)
      _ = try await repository.queue(.storeOrUpdate, [trial.change(model)], note: note)
      let entries = try await trial.look { try $0.records(after: .min, limit: 9) }
      return trial.same([stored.models, absent.models], [[model], []], "The models")
        + trial.same(removed.models, [trial.models[2]], "The removed model")
        + trial.same([stored, absent, removed].map(\.isPending), [true, false, true], "isPending")
        + trial.same(entries.compactMap { $0.entry?.kind }, [.store, .remove], "The kinds")
        + trial.same(try await trial.held(), ["\(trial.change(model))"], "find")
    }
  }

  private static var taken: Check {
    Check(rule: "A write with an outbox that fails changes no model and queues nothing.") { trial in
      _ = try await trial.repository.store([trial.models[1]])
      let note = OutboxNote<Model>(queuedAt: Date(timeIntervalSinceReferenceDate: 5))
      do {
        _ = try await trial.repository.commit(
          StoreWrite([.store(Array(trial.models.prefix(2)))], outbox: note))
        return ["It threw nothing."]
      } catch EvocationError.alreadyExists {}
      return trial.same(try await trial.held(), ["\(trial.models[1])"], "find")
        + trial.same(try await trial.all(), [], "All entries")
    }
  }

  private static var sparing: Check {
    Check(
      rule:
        "A write of fetched models leaves unsent models and their base as they are, and is "
        + "recorded."
    ) { trial in
      let (mine, theirs) = (trial.models[0], trial.change(trial.models[0]))
      let note = OutboxNote<Model>(queuedAt: Date(timeIntervalSinceReferenceDate: 5))
      _ = try await trial.repository.commit(StoreWrite([.storeOrUpdate([mine])], outbox: note))
      _ = try await trial.repository.commit(
        StoreWrite([.mirror([theirs, trial.models[1]], for: Criteria())], source: .remote))
      var seen = trial.same(
        try await self.seen(trial), [theirs], "What is seen after a write of the remote")
      let commit = try await trial.repository.commit(
        StoreWrite([.mirror([trial.models[1]], for: Criteria())], source: .remote))
      seen += trial.same(
        try await self.seen(trial), [nil], "What is seen of what the remote does not have")
      seen += trial.same(commit.gone, [mine], "What is reported as gone")
      let bases = try await trial.look { transaction in
        try transaction.records(after: .min, limit: 9).map { $0.entry?.base }
      }
      seen += trial.same(bases, [nil], "The base")
      let held = try await trial.repository.find(Criteria()).value
      return seen + trial.same(held.count, 2, "The count of models")
        + trial.same(held.contains(mine), true, "Having the app's model")
    }
  }

  private static func seen(_ trial: Trial) async throws -> [Model?] {
    try await trial.look { transaction in
      try transaction.records(after: .min, limit: 9).map { $0.entry?.seen }
    }
  }
}
