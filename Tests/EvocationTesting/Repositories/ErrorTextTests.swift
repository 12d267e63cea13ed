import Evocation
import Foundation
import Testing

@testable import EvocationTesting

/// What the errors of tests say in an alert, and which fix they suggest.
@Suite struct TestingErrorTextTests {
  private struct Car: Codable, Identifiable, Equatable, Sendable {
    var id: Int
  }

  private static let cases: [(any LocalizedError, AlertText, String)] = [
    (
      MockFailure(mock: "Mock", member: "refresh()", closure: "closures.refresh"), .testFailed,
      "Set closures.refresh of the mock before your app calls it."
    ),
    (
      InitialStateError.agesExclude(wish: "old", source: "Source"), .testFailed,
      "Use lastFetched(_:), or give the source other ages."
    ),
    (
      InitialStateError.noEmptyCache(source: "Source"), .testFailed,
      "Use cache(_:) with a value that counts as empty."
    ),
    (
      InjectedFault(method: "find", call: 1, fault: "fails"), .notPossibleNow,
      "Let your app handle the failure, or take this call out of the test's FaultSchedule."
    ),
    (
      RecordingError("It is cut off."), .testFailed,
      "Record the run again with this version of Evocation, and replay the same calls."
    ),
    (
      RecordedFailure(EvocationError.alreadyExists(["4711"])), .conflict,
      "Handle it as your app handles the recorded error, by its failureKind."
    ),
    (
      RepositoryContract<Car>.Violation(rule: "It stores.", observation: "4711"), .testFailed,
      "Change the repository so that it keeps the rule in `rule`."
    ),
  ]

  @Test func `an alert has a sentence, and the developer a fix`() {
    for (error, alert, fix) in Self.cases {
      #expect((error as any Error).localizedDescription == alert.rawValue)
      #expect(error.recoverySuggestion == fix)
    }
  }
}
