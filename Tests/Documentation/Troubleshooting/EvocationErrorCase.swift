import Evocation

/// The cases of `EvocationError`: a new one does not compile without a row of the page.
enum EvocationErrorCase: CaseIterable {
  case proxyNotFound, missingRepository, notIdentifiable, notObservable, unmappable, openEnded
  case unanswered, alreadyStarted
  case noData, unknownKey, incomparableValue, nestedTooDeeply, unsearchable
  case timedOut, offline, signedOut
  case alreadyExists, nestedWrite, outboxUnavailable, unsentWrites, circularDependency
  case separateStores, unitEnded, entryNotFound, differentModel, nestedSignOut

  init(_ error: EvocationError) {
    self =
      switch error {
      case .proxyNotFound: .proxyNotFound
      case .missingRepository: .missingRepository
      case .noData: .noData
      case .alreadyExists: .alreadyExists
      case .unknownKey: .unknownKey
      case .incomparableValue: .incomparableValue
      case .nestedTooDeeply: .nestedTooDeeply
      case .unsearchable: .unsearchable
      case .unmappable: .unmappable
      case .timedOut: .timedOut
      case .offline: .offline
      case .unanswered: .unanswered
      case .nestedWrite: .nestedWrite
      case .outboxUnavailable: .outboxUnavailable
      case .unsentWrites: .unsentWrites
      case .circularDependency: .circularDependency
      case .separateStores: .separateStores
      case .unitEnded: .unitEnded
      case .entryNotFound: .entryNotFound
      case .differentModel: .differentModel
      case .signedOut: .signedOut
      case .nestedSignOut: .nestedSignOut
      case .openEnded: .openEnded
      case .notObservable: .notObservable
      case .notIdentifiable: .notIdentifiable
      case .alreadyStarted: .alreadyStarted
      }
  }

  var row: ErrorRow {
    ErrorRow(area, "EvocationError.\(self)", error, cause)
  }

  private var area: ErrorRow.Area {
    switch self {
    case .proxyNotFound, .missingRepository, .notIdentifiable, .notObservable, .unmappable,
      .openEnded, .unanswered, .alreadyStarted:
      .settingUp
    case .noData, .unknownKey, .incomparableValue, .nestedTooDeeply, .unsearchable, .timedOut,
      .offline,
      .signedOut:
      .reading
    case .alreadyExists, .nestedWrite, .outboxUnavailable, .unsentWrites, .circularDependency,
      .separateStores, .unitEnded, .entryNotFound, .differentModel, .nestedSignOut:
      .writing
    }
  }

  private var error: EvocationError {
    switch self {
    case .proxyNotFound: .proxyNotFound(model: "Car")
    case .missingRepository: .missingRepository(.remote, model: "Car")
    case .notIdentifiable: .notIdentifiable(model: "Car")
    case .notObservable: .notObservable(model: "Car")
    case .unmappable:
      .unmappable(
        model: "Car", property: "owner",
        reason: "it codes itself without keys; wrap it in a struct")
    case .openEnded:
      .openEnded(
        model: "Car",
        reason: "its format does not say where a list ends; write format.next = .never if the "
          + "service sends all in one answer, and otherwise how lists continue, such as .link")
    case .unanswered: .unanswered(.remote, model: "Car", method: "find")
    case .alreadyStarted: .alreadyStarted
    case .noData: .noData
    case .unknownKey: .unknownKey("yaer", model: "Car", nearest: ["year"])
    case .incomparableValue:
      .incomparableValue(
        key: "soldAt", reason: "the key holds a date, and the text is not one in ISO 8601")
    case .nestedTooDeeply: .nestedTooDeeply(most: 200)
    case .unsearchable:
      .unsearchable(
        model: "Article",
        reason: "the table \"article\" has no full-text index; add SQLiteIndex.fullText with the "
          + "properties to search to its indexes")
    case .timedOut: .timedOut(.remote, model: "Car", after: .seconds(5))
    case .offline: .offline(model: "Car")
    case .signedOut: .signedOut(model: "Car")
    case .alreadyExists: .alreadyExists([ErrorRow.value])
    case .nestedWrite: .nestedWrite(model: "Car")
    case .outboxUnavailable: .outboxUnavailable(model: "Car", action: .store)
    case .unsentWrites: .unsentWrites(2)
    case .circularDependency: .circularDependency(models: ["Skipper", "Boat"])
    case .separateStores: .separateStores(model: "Remark", other: "Note")
    case .unitEnded: .unitEnded(model: "Note")
    case .entryNotFound: .entryNotFound(id: ErrorRow.value)
    case .differentModel: .differentModel(model: "Note")
    case .nestedSignOut: .nestedSignOut(model: "Note")
    }
  }

  private var cause: String {
    switch self {
    case .proxyNotFound:
      "A call or a cache uses a model type that this instance of Evocation does not know."
    case .missingRepository:
      "A rule of the strategy has a target or a fallback without a repository."
    case .notIdentifiable:
      "A mirror, a rollback or the outbox has to find models by their ids."
    case .notObservable:
      "The model has no id, or none of its repositories reports changes."
    case .unmappable:
      "Evocation derives a model's keys from its `Codable` conformance, and this property hides them."
    case .openEnded:
      "A mirror deletes local models that a list lacks, so it needs to know that the list is whole."
    case .unanswered:
      "A callback repository returned on some path without calling its completion."
    case .alreadyStarted:
      "Something used `Evocation.shared` before your app configured it, or your app configured it twice."
    case .noData:
      "`get()` found no data, for example because `findOne` found no model."
    case .unknownKey:
      "Criteria or a row name a key that the model's coding keys do not have."
    case .incomparableValue:
      "The value, or the operator, does not fit the type of the property."
    case .nestedTooDeeply:
      "Code that builds criteria nests them without a limit."
    case .unsearchable:
      "Criteria with `matching` need an index of the words in the models' text."
    case .timedOut:
      "The repository took longer than the `timeout` of the rule."
    case .offline:
      "`prefetch` does not try the server while the connectivity reports none."
    case .signedOut:
      "A sign-out ended the call, so that it shows no models of the previous account."
    case .alreadyExists:
      "`store` inserts new models only, and a model with this id is there."
    case .nestedWrite:
      "Evocation runs one write per model type at a time, so a write inside a write never starts."
    case .outboxUnavailable:
      "The local repository is not an `OutboxRepository`, so it cannot keep writes that wait."
    case .unsentWrites:
      "`signOut(.block)` refuses to lose writes that wait in the outbox."
    case .circularDependency:
      "Declarations with `sends(after:)` form a circle."
    case .separateStores:
      "One transaction has to hold both models, and each file has its own."
    case .unitEnded:
      "The closure of `together(_:)` started a write and did not await it."
    case .entryNotFound:
      "Your app changed an outbox entry that the outbox sent, merged or discarded in the meantime."
    case .differentModel:
      "A conflict resolver, an edit of an entry, or the server's answer has another id."
    case .nestedSignOut:
      "A repository signs out while one of its writes runs, for example after a 401."
    }
  }
}

/// The cases of `StrategyError`.
enum StrategyErrorCase: CaseIterable {
  case incompleteConfiguration, invalidRule, unreadable

  init(_ error: StrategyError) {
    self =
      switch error {
      case .incompleteConfiguration: .incompleteConfiguration
      case .invalidRule: .invalidRule
      case .unreadable: .unreadable
      }
  }

  var row: ErrorRow {
    let (error, cause): (StrategyError, String) =
      switch self {
      case .incompleteConfiguration:
        (.incompleteConfiguration(missing: [.find]), "A strategy needs a rule for each action.")
      case .invalidRule:
        (
          .invalidRule(
            .find, Strategy.Rule(synchronize: .outbox),
            reason: "outbox is for writes; use true, false or mirror"),
          "The fields of a rule contradict each other, or do not fit the action."
        )
      case .unreadable:
        (
          .unreadable(path: "find.target", reason: "one of \"remote\", \"local\" was expected"),
          "The JSON of a strategy has another form at this path."
        )
      }
    return ErrorRow(.settingUp, "StrategyError.\(self)", error, cause)
  }
}
