import Evocation

// What is written together.
extension OutboxRepositoryContract {
  static var units: Check {
    Check(rule: "The entries of a unit are found in order, and parked and made pending together.") {
      trial in
      let (one, two) = (trial.models[0], trial.models[1])
      let positions = try await trial.run { transaction in
        _ = try transaction.append(trial.entry("a", two))
        let unit = try transaction.entries.nextPosition
        var positions: [Int64] = []
        for (id, model) in [("b", one), ("c", two), ("d", one)] {
          var entry = trial.entry(id, model)
          (entry.unit, entry.wasAttempted) = (unit, false)
          entry.words = ServiceWords(message: id)
          positions.append(try transaction.append(entry))
        }
        var other = trial.entry("e", two)
        other.unit = try transaction.entries.nextPosition
        _ = try transaction.append(other)
        return positions
      }
      let instance = Outbox.Reference(
        queue: trial.repository.queueName, key: try await trial.run { try $0.key(of: two) })
      func found() async throws -> [[String]] {
        try await trial.look { transaction in
          let entries = transaction.entries
          return [
            try entries.rows(ofUnit: positions[0], limit: 9).map(\.id),
            try entries.rows(ofUnit: positions[0], limit: 1).map(\.id),
            try entries.rows(of: instance, from: positions[1]).map(\.id),
            try entries.pending(after: .min, limit: 9).map(\.id),
          ]
        }
      }
      var seen = trial.same(
        try await found(),
        [["b", "c", "d"], ["b"], ["c", "e"], ["a", "b", "c", "d", "e"]], "The unit's entries")
      try await trial.run { transaction in
        try transaction.delete(positions[0])
        try transaction.entries.setState(
          .parked(.permanent, reason: "no"), ofUnit: positions[0])
      }
      seen += trial.same(
        try await found(), [["c", "d"], ["c"], ["c", "e"], ["a", "e"]], "Those left, parked")
      let said = try await trial.look { transaction in
        try positions.compactMap { try transaction.record(at: $0)?.entry?.words }
      }
      seen += trial.same(said, [], "Their words")
      try await trial.run { transaction in
        transaction.entries.searched = .max
        try transaction.entries.setState(.pending, ofUnit: positions[0])
      }
      let searched = try await trial.run { $0.entries.searched < positions[1] }
      return seen
        + trial.same(
          try await found(), [["c", "d"], ["c"], ["c", "e"], ["a", "c", "d", "e"]],
          "Those left, pending")
        + trial.same(searched, true, "searched lowered by setState(ofUnit:)")
    }
  }
}
