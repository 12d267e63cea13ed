public import Evocation
public import Foundation

/// A fault of one call of a repository.
///
/// The service makes its first write, and the answer is lost:
///
/// ```swift
/// let service = IdempotentService<Car>()
/// let remote = FaultyRepository(service, FaultSchedule(.losesAnswer, on: .number(1, .write)))
/// ```
public enum Fault: Sendable {
  /// The repository does not make the call, and throws this error or an ``InjectedFault``.
  case fails(with: (any Error)? = nil)

  /// The call waits first, by the repository's clock.
  case isDelayed(by: Duration)

  /// The answer contains only the first half of the models; for one model, none.
  case answersHalf

  /// A write saves this number of models and then fails. A read fails after it was made.
  case breaksOff(after: Int)

  /// A write reports success and saves nothing. A read succeeds.
  case losesWrite

  /// The repository makes the call, and then throws an error.
  case losesAnswer
}

extension Fault: CustomStringConvertible {
  /// The fault as the end of a sentence about a call.
  public var description: String {
    switch self {
    case .fails(nil): "fails"
    case .fails(let error?): "fails with \(type(of: error))"
    case .isDelayed(let duration): "is delayed by \(duration)"
    case .answersHalf: "answers half of its models"
    case .breaksOff(let count): "breaks off after \(count) \(count == 1 ? "model" : "models")"
    case .losesWrite: "loses what it writes"
    case .losesAnswer: "loses its answer"
    }
  }
}

/// The error of a call that your test's schedule made fail.
///
/// ```swift
/// let flaky = FaultyRepository(
///   InMemoryRepository<Car>(), FaultSchedule(.fails(), on: .first(2, ofEvery: 3)))
/// await #expect(throws: InjectedFault.self) { try await flaky.store([car]) }
/// ```
public struct InjectedFault: ClassifiedError, Hashable, CustomStringConvertible, LocalizedError {
  /// The method of the repository.
  public let method: String

  /// The number of the call among all calls, from 1.
  public let call: Int

  /// The fault, as the schedule describes it.
  public let fault: String

  /// Transient: the call may succeed the next time.
  public var failureKind: FailureKind { .transient }

  /// One sentence that says which call failed, and how.
  public var description: String {
    "Call \(call), \(method), \(fault), because the test's schedule says so."
  }
}
