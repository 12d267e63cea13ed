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

    init(_ repository: any Repository<Model>, _ contract: RepositoryContract, _ rule: String) {
      self.repository = repository
      self.contract = contract
      self.rule = rule
    }

    /// The models, in the order of their ids, as the reference has them.
    var models: [Model] {
      get async throws {
        try await InMemoryRepository(contract.models).find(Criteria()).value
      }
    }

    func changed(_ model: Model) -> Model { contract.change(model) }

    /// What the repository holds.
    func held() async throws -> [Model] {
      try await repository.find(Criteria()).value
    }

    mutating func expect(_ isKept: Bool, _ observation: @autoclosure () -> String) {
      if !isKept { report.violations.append(Violation(rule: rule, observation: observation())) }
    }

    mutating func expect(_ found: [Model], _ wanted: [Model], _ what: String) {
      let observation = "\(what) gave \(ids(found)) instead of \(ids(wanted))."
      expect(found == wanted, observation)
    }

    /// Whether `count` and `exists` say how many models `find` has to give.
    mutating func expectCount(_ wanted: Int, of criteria: Criteria) async throws {
      let count = try await repository.count(criteria)
      expect(count == wanted, "count gave \(count) instead of \(wanted).")
      let exists = try await repository.exists(criteria)
      expect(exists == (wanted > 0), "exists gave \(exists) where there are \(wanted).")
    }

    /// Whether the body throws that these models are there already.
    mutating func expectAlreadyExists(_ model: Model, _ body: () async throws -> Void) async {
      do {
        try await body()
        expect(false, "It threw nothing.")
      } catch EvocationError.alreadyExists(let ids) {
        expect(ids == ["\(model.id)"], "It named \(ids) instead of \(model.id).")
      } catch {
        expect(false, "It threw another error: \(error)")
      }
    }

    mutating func refuse(_ capability: Capability, _ reason: String) {
      report.add(Report(refusals: [Refusal(capability: capability, reason: reason)]))
    }

    /// What the repository finds; nil when it refuses to say, which is noted.
    ///
    /// It refuses with a permanent error that names what it does not do.
    mutating func answer(
      _ capability: Capability?, _ criteria: Criteria
    ) async throws -> [Model]? {
      do {
        return try await repository.find(criteria).value
      } catch {
        guard let capability, FailureKind(error) == .permanent else { throw error }
        let reason = "\(error)"
        let words = reason.split { !"|!".contains($0) && !$0.isLetter }.map(String.init)
        expect(!capability.words.isDisjoint(with: words), "It refused without naming it: \(reason)")
        refuse(capability, reason)
        return nil
      }
    }

    private func ids(_ models: [Model]) -> String {
      models.isEmpty ? "nothing" : models.map { "\($0.id)" }.joined(separator: ", ")
    }
  }
}
