import Evocation

extension RepositoryContract {
  static var writingChecks: [Check] {
    [
      storing, storingOne, storingTwice, storingWhatIsThere, updating, updatingOne,
      storingOrUpdating, removing, removingOne, nothing, mirroring,
    ]
  }

  private static var storing: Check {
    Check(rule: "store adds models and gives them.") { trial in
      let models = try await trial.models
      trial.expect(
        try await trial.repository.store(models.reversed()).value, models.reversed(), "store")
      trial.expect(try await trial.held(), models, "find after it")
    }
  }

  private static var storingOne: Check {
    Check(rule: "storeOne adds a model, and refuses one that is there.") { trial in
      let model = try await trial.models[0]
      trial.expect(try await trial.repository.storeOne(model).value == model, "It gave another.")
      await trial.expectAlreadyExists(model) { [trial] in
        _ = try await trial.repository.storeOne(trial.changed(model))
      }
      trial.expect(try await trial.held(), [model], "find after it")
    }
  }

  private static var storingTwice: Check {
    Check(rule: "store refuses one id twice in one call, and then stores nothing.") { trial in
      let models = try await trial.models
      await trial.expectAlreadyExists(models[1]) { [trial] in
        _ = try await trial.repository.store([models[0], models[1], models[1]])
      }
      trial.expect(try await trial.held(), [], "find after it")
    }
  }

  private static var storingWhatIsThere: Check {
    Check(rule: "store refuses models when one is there, and then stores none of them.") { trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[1]])
      await trial.expectAlreadyExists(models[1]) { [trial] in
        _ = try await trial.repository.store([models[0], trial.changed(models[1]), models[2]])
      }
      trial.expect(try await trial.held(), [models[1]], "find after it")
    }
  }

  private static var updating: Check {
    Check(rule: "update changes the models that are there and gives those.") { trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[0], models[1]])
      let changed = [trial.changed(models[1]), trial.changed(models[2])]
      trial.expect(try await trial.repository.update(changed).value, [changed[0]], "update")
      trial.expect(try await trial.held(), [models[0], changed[0]], "find after it")
    }
  }

  private static var updatingOne: Check {
    Check(rule: "updateOne gives the model as it now is, or nil.") { trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[0]])
      let changed = trial.changed(models[0])
      let updated = try await trial.repository.updateOne(changed).value
      trial.expect(updated == changed, "It gave another.")
      let absent = try await trial.repository.updateOne(models[1]).value
      trial.expect(absent == nil, "It gave a model that was not there.")
      trial.expect(try await trial.held(), [changed], "find after it")
    }
  }

  private static var storingOrUpdating: Check {
    Check(rule: "storeOrUpdate adds what is not there and changes what is.") { trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[1]])
      let both = [models[0], trial.changed(models[1])]
      trial.expect(try await trial.repository.storeOrUpdate(both).value, both, "storeOrUpdate")
      trial.expect(try await trial.held(), both, "find after it")
    }
  }

  private static var removing: Check {
    Check(rule: "remove takes models away by their ids, and gives them as they last were.") {
      trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[0], models[1]])
      let asked = [trial.changed(models[1]), models[2]]
      trial.expect(try await trial.repository.remove(asked).value, [models[1]], "remove")
      trial.expect(try await trial.held(), [models[0]], "find after it")
    }
  }

  private static var removingOne: Check {
    Check(rule: "removeOne gives the model that was there, or nil.") { trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[0]])
      let removed = try await trial.repository.removeOne(models[0]).value
      trial.expect(removed == models[0], "It gave another.")
      let absent = try await trial.repository.removeOne(models[0]).value
      trial.expect(absent == nil, "It gave a model that was not there.")
      trial.expect(try await trial.held(), [], "find after it")
    }
  }

  private static var nothing: Check {
    Check(rule: "A bulk call without models does nothing, and that is not an error.") { trial in
      let repository = trial.repository
      trial.expect(try await repository.store([]).value, [], "store")
      trial.expect(try await repository.update([]).value, [], "update")
      trial.expect(try await repository.storeOrUpdate([]).value, [], "storeOrUpdate")
      trial.expect(try await repository.remove([]).value, [], "remove")
      trial.expect(try await trial.held(), [], "find after them")
    }
  }

  private static var mirroring: Check {
    Check(rule: "mirror makes the repository hold what it is given, and gives what it removed.") {
      trial in
      let models = try await trial.models
      _ = try await trial.repository.store([models[0], models[1]])
      let wanted = [trial.changed(models[1]), models[2]]
      let removed = try await trial.repository.mirror(wanted, for: Criteria()).value
      trial.expect(removed, [models[0]], "mirror")
      trial.expect(try await trial.held(), wanted, "find after it")
    }
  }
}
