import Evocation

extension RepositoryContract {
  /// A rule and how it is tried.
  struct Check: Sendable {
    let rule: String
    let body: @Sendable (inout Trial) async throws -> Void
  }

  /// One check of one repository.
  struct Trial {
    let repository: any Repository<Model>
    let contract: RepositoryContract
    let rule: String
    private(set) var report = Report()

    /// The models, in the order of their ids, as the reference has them.
    var models: [Model] { get async throws { try await inOrder(contract.models) } }

    func changed(_ model: Model) -> Model { contract.change(model) }

    /// Stores all models, and returns them as the repository has them, in the order of their ids.
    mutating func filled() async throws -> [Model] {
      try await inOrder(try await stored(try await models))
    }

    /// Stores models, and returns them as the repository has them.
    mutating func stored(_ models: [Model]) async throws -> [Model] {
      written(try await repository.store(models).value, of: models, what: "store")
    }

    /// Returns a model that the repository does not have, under an id that is not in use.
    mutating func absent(_ model: Model) async throws -> Model {
      guard report.refused.contains(.ids), let stored = try await stored([model]).first else {
        return model
      }
      _ = try await repository.removeOne(stored)
      return stored
    }

    /// Checks what a write returned for models.
    ///
    /// Other ids of new models are a refusal, and no fault.
    mutating func written(_ given: [Model], of models: [Model], what: String) -> [Model] {
      guard given != models else { return models }
      guard given.count == models.count, zip(given, models).allSatisfy(Self.isSame) else {
        expect(given, models, what: what)
        return models
      }
      refuse(.ids, "\(what) returned models under other ids.")
      return given
    }

    /// Returns whether two models are the same, or differ only in their ids.
    private static func isSame(_ one: Model, _ other: Model) -> Bool {
      guard one != other else { return true }
      guard one.id != other.id, let first = try? FieldEncoder.fields(of: one),
        let second = try? FieldEncoder.fields(of: other), first.names == second.names
      else { return false }
      return zip(first.values, second.values).count(where: { $0 != $1 }) == 1
    }

    func inOrder(_ models: [Model]) async throws -> [Model] {
      try await InMemoryRepository(models).find(Criteria()).value
    }

    /// Checks what a removal returned.
    ///
    /// The model as the app knew it is a refusal, and no fault.
    mutating func expectRemoved(_ removed: [Model], _ last: Model, asked: Model) {
      if removed == [asked], removed != [last] {
        return refuse(.lastState, "It returned the removed models as the caller passed them.")
      }
      expect(removed, [last], what: "A removal")
    }

    /// Checks that the repository has these models and no others.
    mutating func expectHeld(_ wanted: [Model], _ what: String = "find after it") async throws {
      expect(try await held(), try await inOrder(wanted), what: what)
    }

    /// Returns the models of the repository.
    func held() async throws -> [Model] {
      try await repository.find(Criteria()).value
    }

    mutating func expect(_ isKept: Bool, _ observation: @autoclosure () -> String) {
      if !isKept { report.violations.append(Violation(rule: rule, observation: observation())) }
    }

    mutating func expect(_ found: [Model], _ wanted: [Model], what: String) {
      let observation = "\(what) gave \(ids(found)) instead of \(ids(wanted))."
      expect(found == wanted, observation)
    }

    /// Checks that `count` and `exists` report how many models `find` returns.
    mutating func expectCount(_ wanted: Int, of criteria: Criteria) async throws {
      let count = try await repository.count(criteria)
      expect(count == wanted, "count gave \(count) instead of \(wanted).")
      let exists = try await repository.exists(criteria)
      expect(exists == (wanted > 0), "exists gave \(exists) where there are \(wanted).")
    }

    /// Checks that a write rejects models because one exists already.
    ///
    /// - Returns: The models that the repository reports as stored all the same; nil if it gave all of
    ///   them other ids, so that none existed.
    mutating func refused(
      _ models: [Model], for model: Model,
      _ write: (any Repository<Model>) async throws -> [Model]
    ) async -> [Model]? {
      do {
        let given = try await write(repository)
        guard given.map(\.id) == models.map(\.id) else {
          refuse(.ids, "It stored models under other ids.")
          return nil
        }
        expect(false, "It threw nothing.")
      } catch let error as any PartialError {
        refuse(.allOrNone, "\(error)")
        expectAlreadyExists(error.underlying, model)
        var seen: Set<Model.ID> = []
        return models.filter { error.done.contains("\($0.id)") && seen.insert($0.id).inserted }
      } catch {
        expectAlreadyExists(error, model)
      }
      return []
    }

    private mutating func expectAlreadyExists(_ error: any Error, _ model: Model) {
      guard case EvocationError.alreadyExists(let ids) = error else {
        return expect(false, "It threw another error: \(error)")
      }
      expect(ids == ["\(model.id)"], "It named \(ids) instead of \(model.id).")
    }

    mutating func refuse(_ capability: Capability, _ reason: String) {
      report.add(Report(refusals: [capability: reason]))
    }

    /// Returns the models that the repository finds; nil if it rejects the criteria.
    ///
    /// It rejects them with a permanent error that names what it does not do.
    mutating func answer(
      _ capability: Capability?, _ criteria: Criteria
    ) async throws -> [Model]? {
      do {
        return try await repository.find(criteria).value
      } catch {
        guard let capability = capability ?? Self.capability(of: criteria),
          FailureKind(error) == .permanent
        else { throw error }
        let reason = "\(error)"
        let words = reason.split { !"|!".contains($0) && !$0.isLetter }.map(String.init)
        expect(
          !capability.words.isDisjoint(with: words),
          "It refused without naming the capability: \(reason)")
        refuse(capability, reason)
        return nil
      }
    }

    /// Returns the capability of the criteria that a repository may reject.
    private static func capability(of criteria: Criteria) -> Capability? {
      if criteria.offset > 0 { return .offset }
      let isUnequal = criteria.predicate?.conjuncts.contains { part in
        if case .comparison(_, .notEqual, _) = part { true } else { false }
      }
      return isUnequal == true ? .notEqual : nil
    }

    private func ids(_ models: [Model]) -> String {
      models.isEmpty ? "nothing" : models.map { "\($0.id)" }.joined(separator: ", ")
    }
  }
}
