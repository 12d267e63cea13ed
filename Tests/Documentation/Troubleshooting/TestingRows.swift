import Evocation
import Foundation

@testable import EvocationTesting

extension ErrorRow {
  /// The errors of `EvocationTesting`, as its types throw them.
  static func ofTesting() throws -> [ErrorRow] {
    [
      ErrorRow(
        .tests, "MockFailure",
        MockFailure(
          mock: "CacheRepositoryMock<CarSource>", member: "refresh",
          closure: "onRefresh"),
        "Your app called a member of a mock for which the test set no closure."),
      ErrorRow(
        .tests, "InitialStateError.agesExclude",
        InitialStateError.agesExclude(wish: "too old and still shown", source: "CarSource"),
        "The test asks for a state that the source's ages never allow."),
      ErrorRow(
        .tests, "InitialStateError.noEmptyCache",
        InitialStateError.noEmptyCache(source: "CarSource"),
        "The test asks for an empty cache, and deleting it leaves data."),
      ErrorRow(
        .tests, "InjectedFault",
        InjectedFault(method: "find", call: 3, fault: Fault.fails().description),
        "The test's `FaultSchedule` lets this call fail."),
      ErrorRow(
        .tests, "RecordingError", try recordingError(),
        "The file is not a recording, or the replayed run makes other calls than the recorded run."),
      ErrorRow(
        .tests, "RecordedFailure", RecordedFailure(URLError(.timedOut)),
        "A recorded repository threw this error, and its replay throws it again."),
      ErrorRow(
        .tests, "RepositoryContract.Violation",
        RepositoryContract<Car>.Violation(
          rule: "remove returns the models that existed.", observation: "It returned none."),
        "A repository breaks a rule of the contract that all repositories keep."),
    ]
  }

  private static func recordingError() throws -> RecordingError {
    do {
      _ = try Recording(json: Data("[]".utf8))
    } catch let error as RecordingError {
      return error
    }
    throw CocoaError(.featureUnsupported)
  }
}
