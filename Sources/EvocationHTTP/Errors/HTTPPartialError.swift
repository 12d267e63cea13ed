public import Evocation

/// A write of several models that took several requests, of which the first ones succeeded.
///
/// Thrown only after a request succeeded; an error of the first request is thrown as it is.
public struct HTTPPartialError: PartialError, CustomStringConvertible {
  /// The ids of the models whose requests succeeded, in the order of the call.
  ///
  /// For an update or a removal they include those of models that the service does not have.
  public let done: [String]

  /// The ids of the models of the request that failed; whether they were written is not known.
  public let failed: [String]

  /// The ids of the models that were not sent.
  public let unsent: [String]

  /// Why the request failed.
  public let underlying: any Error

  /// Makes an error.
  public init(done: [String], failed: [String], unsent: [String], underlying: any Error) {
    self.done = done
    self.failed = failed
    self.unsent = unsent
    self.underlying = underlying
  }

  /// The same of a longer write, of which this was a part.
  func after(_ before: [String], _ rest: [String]) -> HTTPPartialError {
    HTTPPartialError(
      done: before + done, failed: failed, unsent: unsent + rest, underlying: underlying
    )
  }

  /// The kind of the failure behind it.
  public var failureKind: FailureKind { FailureKind(underlying) }

  /// How long the service asks to wait, by the answer to the request that failed.
  public var retryAfter: Duration? { (underlying as? any ClassifiedError)?.retryAfter }

  /// One sentence: how many models were written, and why not all.
  public var description: String {
    let all = done.count + failed.count + unsent.count
    return "Only \(done.count) of \(all) models were written, one request after another, and "
      + "\(unsent.count) were not sent, because of this error: \(underlying)"
  }
}
