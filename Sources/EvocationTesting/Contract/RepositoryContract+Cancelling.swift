import Evocation

extension RepositoryContract {
  static var cancellingChecks: [Check] { [cancelledReads, cancelledWrites] }

  private typealias Call = @Sendable (any Repository<Model>) async throws -> Void

  private static var cancelledReads: Check {
    Check(rule: "A read whose task was cancelled throws CancellationError.") { trial in
      _ = try await trial.filled()
      await expectCancelled(&trial, "find") { _ = try await $0.find(Criteria()) }
      await expectCancelled(&trial, "findOne") { _ = try await $0.findOne(Criteria()) }
      await expectCancelled(&trial, "count") { _ = try await $0.count(Criteria()) }
      await expectCancelled(&trial, "exists") { _ = try await $0.exists(Criteria()) }
    }
  }

  private static var cancelledWrites: Check {
    Check(rule: "A write whose task was cancelled throws CancellationError and writes nothing.") {
      trial in
      let models = try await trial.models
      let (held, new) = (try await trial.stored(Array(models.prefix(2))), models[2])
      let changed = held.map { trial.changed($0) }
      await expectCancelled(&trial, "store") { _ = try await $0.store([new]) }
      await expectCancelled(&trial, "storeOne") { _ = try await $0.storeOne(new) }
      await expectCancelled(&trial, "update") { _ = try await $0.update(changed) }
      await expectCancelled(&trial, "updateOne") { _ = try await $0.updateOne(changed[0]) }
      await expectCancelled(&trial, "storeOrUpdate") {
        _ = try await $0.storeOrUpdate(changed + [new])
      }
      await expectCancelled(&trial, "remove") { _ = try await $0.remove(held) }
      await expectCancelled(&trial, "removeOne") { _ = try await $0.removeOne(held[0]) }
      await expectCancelled(&trial, "mirror") { _ = try await $0.mirror([new], for: Criteria()) }
      try await trial.expectHeld(held, "find after them")
    }
  }

  private static func expectCancelled(
    _ trial: inout Trial, _ method: String, _ call: @escaping Call
  ) async {
    let repository = trial.repository
    let observation = await withTaskGroup(of: String?.self) { group in
      group.cancelAll()
      group.addTask {
        do {
          try await call(repository)
          return "\(method) gave an answer."
        } catch is CancellationError {
          return nil
        } catch {
          return "\(method) threw another error: \(error)"
        }
      }
      return await group.next() ?? nil
    }
    if let observation { trial.expect(false, observation) }
  }
}
