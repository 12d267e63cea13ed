internal import Evocation
import Foundation

/// What the tasks of one connection share.
final class LiveRunState<Model: Sendable>: Sendable {
  /// What may have been missed before an element.
  enum Missing: Sendable, Equatable {
    case nothing
    /// The service did not say that it goes on from the mark, and it may have.
    ///
    /// `isFirst` says whether there was no connection before it.
    case unknown(isFirst: Bool)
    /// The service has said that something may be missing.
    case announced
  }

  private struct State {
    var failure: (any Error)?
    /// Whether the failure is the service's.
    var isOfService = false
    var stoodSince: Duration?
    /// Whether something has arrived since the beginning.
    var hasSigns = false
  }

  let batch: LiveBatch<Model>
  /// How long a fetch waits of what was missed before the connection.
  let pause: Duration
  /// Ends when everything that was read is saved.
  let ended = Promise<Void>()
  private let state = Lock(State())

  init(batchSize: Int, pause: Duration) {
    batch = LiveBatch(limit: batchSize)
    self.pause = pause
  }

  /// Records that it stands, and returns whether that is news.
  func begin(at now: Duration) -> Bool {
    state.withLock { state in
      guard state.stoodSince == nil else { return false }
      state.stoodSince = now
      return true
    }
  }

  /// Records that something has arrived.
  func recordSign() {
    state.withLock { $0.hasSigns = true }
  }

  func fail(_ error: any Error, isOfService: Bool = false) {
    state.change { state -> (any Error)? in
      guard state.failure == nil else { return error }
      (state.failure, state.isOfService) = (error, isOfService)
      return nil
    }
  }

  /// Returns why it has ended, and how long it stood.
  func end(at now: Duration) -> LiveEnd {
    state.withLock { state in
      LiveEnd(
        failure: state.failure, isOfService: state.isOfService, hasSigns: state.hasSigns,
        stood: state.stoodSince.map { now.subtracting($0) } ?? .zero)
    }
  }
}

/// How a connection has ended.
struct LiveEnd {
  var failure: (any Error)?
  var isOfService = false
  var hasSigns = false
  var stood = Duration.zero

  /// How long the service asks to wait.
  var asked: Duration? { (failure as? any ClassifiedError)?.retryAfter }

  /// Whether the service has ended the stream in order, after it had sent something.
  ///
  /// Gateways and services end streams after a time as a matter of course, and count on a new one.
  var isOrderly: Bool {
    guard let failure else { return hasSigns }
    return isOfService && (failure as? any StreamEnding)?.isOrderlyEnd == true
  }

  /// Whether the service refuses to send this model type's changes, so that asking soon is no use.
  ///
  /// Such an error would be about the write if it were one's: no permission, no such stream. A refused
  /// credential, and whatever may pass, are about the service.
  var isRefusal: Bool {
    guard isOfService, let error = failure as? any ClassifiedError else { return false }
    return error.failureKind != .transient && error.failureScope == .write
  }
}
