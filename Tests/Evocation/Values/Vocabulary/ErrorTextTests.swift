import Evocation
import Foundation
import Testing

/// What an error says to the person who uses the app, and which fix it suggests to the developer.
@Suite struct ErrorTextTests {
  private struct Case: Sendable {
    let error: any LocalizedError
    let alert: String
    let fix: String

    init(_ error: any LocalizedError, _ alert: AlertText, _ fix: String) {
      self.error = error
      self.alert = alert.rawValue
      self.fix = fix
    }
  }

  private static let cases: [Case] = [
    Case(
      EvocationError.proxyNotFound(model: "Car"), .appFailed,
      "Call register(Car.self, remote:local:strategy:) on the same Evocation before the first use."),
    Case(EvocationError.noData, .nothingToShow, "Read `data` where no data is a valid answer."),
    Case(EvocationError.offline(model: "Car"), .offline, "Try again when the connection returns."),
    Case(
      EvocationError.timedOut(.remote, model: "Car", after: .seconds(1)), .notAnswered,
      "Try again, or raise the timeout of the rule."),
    Case(
      EvocationError.timedOut(.local, model: "Car", after: .seconds(1)), .notPossibleNow,
      "Try again, or raise the timeout of the rule."),
    Case(
      EvocationError.alreadyExists(["4711"]), .alreadyExists,
      "Use storeOrUpdate to replace an existing model."),
    Case(
      EvocationError.alreadyExists(["4711", "4712"]), .alreadyExists,
      "Use storeOrUpdate to replace existing models."),
    Case(
      EvocationError.unsentWrites(2), .unsent,
      "Send them with flush(), resend or discard what is parked, or sign out with .keep or .discard."
    ),
    Case(EvocationError.entryNotFound(id: "4711"), .noLongerWaiting, "Read the entries again."),
    Case(
      EvocationError.signedOut(model: "Car"), .signedOut,
      "Read again for the account that is signed in now."),
    Case(
      EvocationError.unknownKey("yaer", model: "Car", nearest: ["year"]), .appFailed,
      "Did you mean \"year\"?"),
    Case(
      EvocationError.unknownKey("x", model: "Car", nearest: []), .appFailed,
      "Use one of its coding keys."),
    Case(
      EvocationError.incomparableValue(key: "year", reason: "the value is 4711"), .appFailed,
      "Compare the key with a value of its own kind, by an operator of that kind."),
    Case(
      EvocationError.unmappable(model: "Car", property: "year", reason: "it is a list"), .appFailed,
      "Give the model properties that code themselves as single values, lists or structs, or make "
        + "their types conform to CodableExample."),
    Case(
      EvocationError.unsearchable(model: "Car", reason: "it has no index"), .appFailed,
      "Search a SQLiteRepository whose indexes have SQLiteIndex.fullText."),
    Case(
      EvocationError.openEnded(model: "Car", reason: "it is long"), .appFailed,
      "Describe in the repository's configuration how its lists end."),
    Case(
      EvocationError.differentModel(model: "Car"), .appFailed,
      "Keep the id, or store it as a new model."),
    Case(
      StrategyError.incompleteConfiguration(missing: [.find]), .appFailed,
      "Add a rule for each action."),
    Case(
      StrategyError.invalidRule(.find, Strategy.Rule(), reason: "it is wrong"), .appFailed,
      "Change the field of the rule that the description names."),
    Case(
      StrategyError.unreadable(path: "find", reason: "it is wrong"), .appFailed,
      "Correct the JSON at the path that the description names."),
    Case(
      CacheError.requirementsNotSet(cache: "Car"), .appFailed,
      "Set its requirements before "
        + "you use it."),
    Case(
      CacheError.noCache(tag: "4711"), .nothingToShow,
      "Refresh the cache, or read from both the cache and its origin."),
    Case(
      CacheError.cacheTooOld(tag: "4711", age: nil), .tooOld,
      "Refresh the cache, or read from both the cache and its origin."),
    Case(CacheError.pageWithoutCache, .nothingToShow, "Refresh the list first."),
    Case(CacheError.outdatedFetch(tag: "4711"), .notPossibleNow, "Refresh the cache again."),
    Case(
      ListDamage(model: "Car", reason: "it is torn"), .storageDamaged,
      "The cache deletes the list, keeps its models, and fetches it again."),
    Case(
      OutdatedStamp(), .notPossibleNow,
      "Let the error leave the transaction, and the cache fetches again."),
  ]

  @Test func `an alert has a sentence for its reader, and the developer a fix`() {
    for each in Self.cases {
      #expect((each.error as any Error).localizedDescription == each.alert)
      #expect(each.error.errorDescription == each.alert)
      #expect(each.error.recoverySuggestion == each.fix)
      #expect(!each.alert.contains("4711") && !each.fix.contains("4711"))
    }
  }

  @Test func `the developer's sentence has the problem and the fix`() {
    let sentences = [
      "\(EvocationError.unknownKey("x", model: "Car", nearest: []))":
        "Car has no key \"x\"; use one of its coding keys.",
      "\(EvocationError.unknownKey("x", model: "Car", nearest: ["y", "z"]))":
        "Car has no key \"x\"; did you mean \"y\" or \"z\"?",
      "\(EvocationError.openEnded(model: "Car", reason: "it is long"))":
        "Evocation cannot treat a list of Car as complete, because it is long.",
      "\(EvocationError.differentModel(model: "Car"))":
        "A model that replaces a Car has another id; keep the id, or store it as a new model.",
      "\(OutdatedStamp())":
        "Another write changed the list or its change token while these data were fetched, so the "
        + "local store saved none of them; let the error leave the transaction, and the cache "
        + "fetches again.",
    ]
    for (description, sentence) in sentences { #expect(description == sentence) }
  }

  @Test func `of an error of which only the kind is known, the sentence goes by the kind`() {
    #expect(AlertText(.transient).rawValue == "This is not possible right now.")
    #expect(AlertText(.authorization).rawValue == "You are not signed in.")
    #expect(AlertText(.conflict).rawValue == "This was changed somewhere else in the meantime.")
    #expect(AlertText(.permanent).rawValue == "Something went wrong in the app.")
  }

  @Test func `each sentence of an alert is one plain sentence`() {
    for text in AlertText.allCases.map(\.rawValue) {
      #expect(
        text.hasSuffix(".") && text.dropLast().allSatisfy { $0 != "." && $0 != ";" }, "\(text)")
      #expect(text.count <= 75 && text.first?.isUppercase == true, "\(text)")
    }
  }
}
