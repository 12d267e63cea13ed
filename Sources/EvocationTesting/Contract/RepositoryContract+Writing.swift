import Evocation

extension RepositoryContract {
  static var writingChecks: [Check] {
    [
      storing, storingOne, storingTwice, storingWhatIsThere, updating, updatingOne,
      storingOrUpdating, removing, removingOne, nothing, mirroring, mirroringPart,
    ]
  }

  private static var storing: Check {
    Check(rule: "store adds models and gives them.") { trial in
      try await trial.expectHeld(try await trial.stored(try await trial.models.reversed()))
    }
  }

  private static var storingOne: Check {
    Check(rule: "storeOne adds a model, and refuses one that is there.") { trial in
      let model = try await trial.models[0]
      let stored = try await trial.repository.storeOne(model).value.map { [$0] } ?? []
      let one = trial.written(stored, of: [model], what: "storeOne")
      let again = trial.changed(one[0])
      let more = await trial.refused([again], for: again) {
        try await $0.storeOne(again).value.map { [$0] } ?? []
      }
      if more != nil { try await trial.expectHeld(one) }
    }
  }

  private static var storingTwice: Check {
    Check(rule: "store refuses one id twice in one call, and then stores nothing.") { trial in
      let models = try await trial.models
      let both = [models[0], models[1], models[1]]
      let stored = await trial.refused(both, for: models[1]) { try await $0.store(both).value }
      if let stored { try await trial.expectHeld(stored) }
    }
  }

  private static var storingWhatIsThere: Check {
    Check(rule: "store refuses models when one is there, and then stores none of them.") { trial in
      let models = try await trial.models
      let held = try await trial.stored([models[1]])[0]
      let all = [models[0], trial.changed(held), models[2]]
      let stored = await trial.refused(all, for: held) { try await $0.store(all).value }
      if let stored { try await trial.expectHeld([held] + stored) }
    }
  }

  private static var updating: Check {
    Check(rule: "update changes the models that are there and gives those.") { trial in
      let models = try await trial.models
      let held = try await trial.stored([models[0], models[1]])
      let changed = [trial.changed(held[1]), trial.changed(try await trial.absent(models[2]))]
      trial.expect(try await trial.repository.update(changed).value, [changed[0]], what: "update")
      try await trial.expectHeld([held[0], changed[0]])
    }
  }

  private static var updatingOne: Check {
    Check(rule: "updateOne gives the model as it now is, or nil.") { trial in
      let models = try await trial.models
      let changed = trial.changed(try await trial.stored([models[0]])[0])
      let updated = try await trial.repository.updateOne(changed).value
      trial.expect(updated == changed, "It gave another.")
      let other = try await trial.absent(models[1])
      let absent = try await trial.repository.updateOne(other).value
      trial.expect(absent == nil, "It gave a model that was not there.")
      try await trial.expectHeld([changed])
    }
  }

  private static var storingOrUpdating: Check {
    Check(rule: "storeOrUpdate adds what is not there and changes what is.") { trial in
      let models = try await trial.models
      let held = try await trial.stored([models[1]])[0]
      let both = [try await trial.absent(models[0]), trial.changed(held)]
      let given = try await trial.repository.storeOrUpdate(both).value
      try await trial.expectHeld(trial.written(given, of: both, what: "storeOrUpdate"))
    }
  }

  private static var removing: Check {
    Check(rule: "remove takes models away by their ids, and gives them as they last were.") {
      trial in
      let models = try await trial.models
      let held = try await trial.stored([models[0], models[1]])
      let changed = trial.changed(held[1])
      let asked = [changed, try await trial.absent(models[2])]
      trial.expectRemoved(try await trial.repository.remove(asked).value, held[1], asked: changed)
      try await trial.expectHeld([held[0]])
    }
  }

  private static var removingOne: Check {
    Check(rule: "removeOne gives the model that was there, or nil.") { trial in
      let held = try await trial.stored([try await trial.models[0]])[0]
      let changed = trial.changed(held)
      let removed = try await trial.repository.removeOne(changed).value
      trial.expectRemoved(removed.map { [$0] } ?? [], held, asked: changed)
      let absent = try await trial.repository.removeOne(held).value
      trial.expect(absent == nil, "It gave a model that was not there.")
      try await trial.expectHeld([])
    }
  }

  private static var nothing: Check {
    Check(rule: "A bulk call without models does nothing, and that is not an error.") { trial in
      let repository = trial.repository
      trial.expect(try await repository.store([]).value, [], what: "store")
      trial.expect(try await repository.update([]).value, [], what: "update")
      trial.expect(try await repository.storeOrUpdate([]).value, [], what: "storeOrUpdate")
      trial.expect(try await repository.remove([]).value, [], what: "remove")
      trial.expect(try await trial.held(), [], what: "find after them")
    }
  }

  private static var mirroring: Check {
    Check(rule: "mirror makes the repository hold what it is given, and gives what it removed.") {
      trial in
      let models = try await trial.models
      let held = try await trial.stored([models[0], models[1]])
      let wanted = [trial.changed(held[1]), try await trial.absent(models[2])]
      let removed = try await trial.repository.mirror(wanted, for: Criteria()).value
      trial.expect(removed, [held[0]], what: "mirror")
      // A service that gives ids may put a new model before the others.
      let kept = try await trial.held()
      let isFirst = trial.report.refused.contains(.ids) && kept.last?.id == wanted[0].id
      _ = trial.written(isFirst ? kept.reversed() : kept, of: wanted, what: "find after it")
    }
  }
  private static var mirroringPart: Check {
    Check(rule: "mirror removes nothing for criteria with a limit that the models reach.") {
      trial in
      let models = try await trial.models
      let held = try await trial.stored([models[0], models[1]])
      let removed = try await trial.repository.mirror([held[1]], for: Criteria().limit(1)).value
      trial.expect(removed, [], what: "mirror")
      let count = try await trial.held().count
      trial.expect(count == held.count, "find after it gave \(count) models.")
    }
  }
}
