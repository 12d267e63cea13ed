import Evocation

extension RepositoryContract {
  static var readingChecks: [Check] {
    [empty, findingByValue, comparing, ordering, paging, findingOne, unknownKeys]
  }

  private static var empty: Check {
    Check(rule: "An empty repository answers with nothing, and that is not an error.") { trial in
      trial.expect(try await trial.held(), [], what: "find")
      let one = try await trial.repository.findOne(Criteria()).value
      trial.expect(one == nil, "findOne gave a model.")
      try await trial.expectCount(0, of: Criteria())
    }
  }

  private static var findingByValue: Check {
    Check(rule: "Criteria of equality give the models with that value, in the order of ids.") {
      try await ask(&$0) { key, value, _ in [key == value, key != value] }
    }
  }

  private static var comparing: Check {
    Check(rule: "Comparisons give what the reference gives; null is neither less nor greater.") {
      try await ask(&$0) { key, value, _ in
        guard value != .null else { return [] }
        return [key < value, key <= value, key > value, key >= value, key.in([value])]
      }
    }
  }

  private static var ordering: Check {
    Check(rule: "A sort gives the order of the reference, with null first and ids among equals.") {
      try await ask(&$0) { key, _, _ in
        [Criteria().sorted(by: key), Criteria().sorted(by: key, descending: true)]
      }
    }
  }

  private static var paging: Check {
    Check(rule: "A limit and an offset give that part of the whole.") { trial in
      let models = try await trial.filled()
      for offset in 0...2 {
        for limit in 1...2 {
          let wanted = Array(models.dropFirst(offset).prefix(limit))
          let criteria = Criteria().offset(offset).limit(limit)
          guard let page = try await trial.answer(nil, criteria) else { continue }
          trial.expect(page, wanted, what: "limit(\(limit)) after offset(\(offset))")
          try await trial.expectCount(wanted.count, of: criteria)
        }
      }
    }
  }

  private static var findingOne: Check {
    Check(rule: "findOne gives the first that find gives.") { trial in
      let models = try await trial.filled()
      let first = try await trial.repository.findOne(Criteria()).value
      trial.expect(first == models[0], "It gave another.")
      let key = ModelIdentity.of(Model.self).key ?? "id"
      guard case .scalar(let id) = try FieldEncoder.fields(of: models[1]).field(at: key) else {
        return
      }
      let byID = try await trial.repository.findOne(key == id).value
      trial.expect(byID == models[1], "By its id it gave another.")
    }
  }

  private static var unknownKeys: Check {
    Check(rule: "A key that the model does not have is an error.") { trial in
      let unknown = Criteria.Key("there_is_no_such_key") == 1
      for read in Self.reads {
        do {
          try await read(trial.repository, unknown)
          trial.expect(false, "It gave an answer.")
        } catch {}
      }
    }
  }

  private static var reads: [@Sendable (any Repository<Model>, Criteria) async throws -> Void] {
    [
      { _ = try await $0.find($1) }, { _ = try await $0.count($1) },
      { _ = try await $0.exists($1) },
    ]
  }
}
