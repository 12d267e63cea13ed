public import Evocation

/// What goes wrong with one call of a repository.
public enum Fault: Sendable {
  /// The call fails before it is made; with an ``InjectedFault`` by default.
  case fails(with: (any Error)? = nil)

  /// The call is made after a while, by the repository's clock.
  case isDelayed(by: Duration)

  /// Only the first half of the models is answered; of one model, none.
  case answersHalf

  /// A write reaches this many of its models and then fails; a read fails afterwards.
  case breaksOff(after: Int)

  /// A write is answered as if it had been made; a read goes well.
  case losesWrite

  /// The call is made, and fails afterwards.
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

/// A call failed because its schedule said so.
public struct InjectedFault: ClassifiedError, Hashable, CustomStringConvertible {
  /// The repository's method.
  public let method: String

  /// The call's number among all, from 1.
  public let call: Int

  /// What happened to it, as the schedule says.
  public let fault: String

  /// Transient: it may go well the next time.
  public var failureKind: FailureKind { .transient }

  /// One sentence that says which call failed, and how.
  public var description: String {
    "Call \(call), \(method), \(fault), because the test's schedule says so."
  }
}
