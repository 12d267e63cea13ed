package import Evocation
internal import Foundation

/// The error of a write that took several requests, of which the first ones succeeded.
///
/// It is thrown only after a request succeeded. An error of the first request is thrown as it is.
package struct HTTPPartialError: PartialError, CustomStringConvertible, LocalizedError {
  /// The ids of the models whose requests succeeded, in the order of the call.
  ///
  /// For an update or a removal they include ids of models that the service does not have.
  package let done: [String]

  /// The ids of the models in the request that failed; it is not known whether they were written.
  package let failed: [String]

  /// The ids of the models that were not sent.
  package let unsent: [String]

  /// The error of the request that failed.
  package let underlying: any Error

  /// Creates an error.
  package init(done: [String], failed: [String], unsent: [String], underlying: any Error) {
    self.done = done
    self.failed = failed
    self.unsent = unsent
    self.underlying = underlying
  }

  /// Returns the error of a longer write, of which this write was a part.
  func after(_ before: [String], _ rest: [String]) -> HTTPPartialError {
    HTTPPartialError(
      done: before + done, failed: failed, unsent: unsent + rest, underlying: underlying
    )
  }

  /// The kind of the underlying failure.
  package var failureKind: FailureKind { FailureKind(underlying) }

  /// How long the service asks to wait, in its answer to the request that failed.
  package var retryAfter: Duration? { (underlying as? any ClassifiedError)?.retryAfter }

  /// One sentence: how many models were written, and why not all.
  package var description: String {
    let all = done.count + failed.count + unsent.count
    return "Only \(done.count) of \(all) models were written, one request after another, and "
      + "\(unsent.count) were not sent, because of this error: \(underlying)"
  }
}
