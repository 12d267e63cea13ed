import Evocation

extension RepositoryContract {
  static var observingChecks: [Check] {
    [tellingChanges, tellingNothing, countingVersions, endingObservations]
  }

  private static var tellingChanges: Check {
    Check(
      rule:
        "Observers get each commit, in order, with the models that it stored, updated and removed."
    ) {
      trial in
      guard let (heard, observation) = trial.observation() else { return }
      let models = try await trial.models
      let changed = trial.changed(models[1])
      _ = try await trial.repository.store([models[0], models[1]])
      trial.expect(heard, .init(stored: [models[0], models[1]]), method: "store")
      _ = try await trial.repository.update([changed])
      trial.expect(heard, .init(updated: [(models[1], changed)]), method: "update")
      _ = try await trial.repository.storeOrUpdate([models[1], models[2]])
      trial.expect(
        heard, .init(stored: [models[2]], updated: [(changed, models[1])]), method: "storeOrUpdate")
      _ = try await trial.repository.remove([trial.changed(models[0])])
      trial.expect(heard, .init(removed: [models[0]]), method: "remove")
      observation.cancel()
    }
  }

  private static var tellingNothing: Check {
    Check(rule: "A call that changed nothing tells no change.") { trial in
      guard let (heard, observation) = trial.observation() else { return }
      let models = try await trial.models
      _ = try await trial.repository.store([models[0]])
      _ = heard.take()
      _ = try? await trial.repository.store([models[1], models[0]])
      _ = try await trial.repository.update([models[1]])
      _ = try await trial.repository.remove([models[1]])
      _ = try await trial.repository.find(Criteria())
      trial.expect(heard.take().isEmpty, "It told a change.")
      observation.cancel()
    }
  }

  private static var countingVersions: Check {
    Check(rule: "A version grows with each change, and a snapshot has the change that made it.") {
      trial in
      guard let (heard, observation) = trial.observation(),
        let repository = trial.repository as? any ObservableRepository<Model>
      else { return }
      defer { observation.cancel() }
      let models = try await trial.models
      guard var last = try await repository.snapshot(Criteria()).version else { return }
      for model in models.prefix(3) {
        _ = heard.take()
        _ = try await trial.repository.store([model])
        let snapshot = try await repository.snapshot(Criteria())
        guard let version = heard.take().last?.version, let read = snapshot.version else {
          return trial.expect(false, "It counts versions, and told a change without one.")
        }
        trial.expect(version > last, "It told version \(version) after version \(last).")
        trial.expect(
          read >= version && snapshot.models.contains(model),
          "A snapshot of version \(read) was without the change of version \(version).")
        last = read
      }
    }
  }

  private static var endingObservations: Check {
    Check(rule: "An observation that was cancelled or released gets no more changes.") { trial in
      guard let (heard, observation) = trial.observation() else { return }
      observation.cancel()
      _ = try await trial.repository.store([try await trial.models[0]])
      trial.expect(heard.take().isEmpty, "It told a change.")
    }
  }
}

extension RepositoryContract {
  /// The changes that a repository reported, in their order.
  final class Heard: Sendable {
    private let changes = Lock<[RepositoryChange<Model>]>([])

    func hear(_ change: RepositoryChange<Model>) { changes.withLock { $0.append(change) } }

    /// Returns the changes since the last call.
    func take() -> [RepositoryChange<Model>] {
      changes.withLock { changes in
        defer { changes = [] }
        return changes
      }
    }
  }

  /// The change that a commit must report.
  struct Told {
    var stored: [Model] = []
    var updated: [(before: Model, after: Model)] = []
    var removed: [Model] = []

    /// Returns whether a change is the same, in any order, or does not know its models.
    func isSaid(by change: RepositoryChange<Model>) -> Bool {
      guard case .models(let stored, let updated, let removed) = change.extent else { return true }
      return Self.same(stored, self.stored) && Self.same(removed, self.removed)
        && Self.same(updated.map(\.before), self.updated.map(\.before))
        && Self.same(updated.map(\.after), self.updated.map(\.after))
    }

    private static func same(_ left: [Model], _ right: [Model]) -> Bool {
      left.count == right.count && left.allSatisfy(right.contains)
    }
  }
}

extension RepositoryContract.Trial {
  /// Begins to observe the repository.
  ///
  /// Returns nil if it is not observable, which is a refusal.
  mutating func observation() -> (RepositoryContract.Heard, Evocation.Observation)? {
    guard let repository = repository as? any ObservableRepository<Model> else {
      refuse(.observing, "It is not an ObservableRepository.")
      return nil
    }
    let heard = RepositoryContract<Model>.Heard()
    return (heard, repository.observeChanges { heard.hear($0) })
  }

  mutating func expect(
    _ heard: RepositoryContract.Heard, _ told: RepositoryContract.Told, method: String
  ) {
    let changes = heard.take()
    expect(changes.count == 1, "Observers of \(method) got \(changes.count) changes.")
    guard let change = changes.first else { return }
    expect(told.isSaid(by: change), "Observers of \(method) got another change.")
  }
}
