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
    /// Whether something is missing, so that no later mark may be saved.
    var isGapOpen = false
    var gapDate = Date.distantPast
    /// The number of gaps, to know of those that come while one is filled.
    var gaps: UInt64 = 0
    /// The last mark that was not saved for that reason.
    var heldMark: String?
  }

  let batch: LiveBatch<Model>
  /// Told when something has to be fetched; several gaps are one.
  let gaps = Broadcast<Void>.Buffer(capacity: 1)
  /// Ends when everything that was read is saved.
  let ended = Promise<Void>()
  private let state = Lock(State())

  init(batchSize: Int) {
    batch = LiveBatch(limit: batchSize)
  }

  /// Records that it stands, and returns whether that is news.
  func begin(at now: Duration) -> Bool {
    state.withLock { state in
      guard state.stoodSince == nil else { return false }
      state.stoodSince = now
      return true
    }
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
        failure: state.failure, isOfService: state.isOfService,
        stood: state.stoodSince.map { now.subtracting($0) } ?? .zero)
    }
  }

  /// Records that something may be missing.
  func miss(_ missing: Missing, at date: Date) {
    guard missing != .nothing else { return }
    state.withLock { state in
      state.gaps += 1
      state.gapDate = date
      if missing == .announced { state.isGapOpen = true }
    }
    gaps.put(())
  }

  /// Returns the mark to save with changes: none while something is missing.
  ///
  /// A mark claims that nothing before it is missing. If the process ends before what was missed is
  /// fetched, the next connection begins at the last mark that is true.
  func mark(of changes: LiveChanges<Model>) -> String? {
    state.withLock { state in
      guard state.isGapOpen else { return changes.mark }
      state.heldMark = changes.mark ?? state.heldMark
      return nil
    }
  }

  /// When the last gap was recorded; what was fetched after that lacks nothing.
  var gapDate: Date { state.withLock { $0.gapDate } }

  /// The number of gaps so far.
  var gapCount: UInt64 { state.withLock { $0.gaps } }

  /// Records that what was missed is fetched, up to a gap, and returns the mark that may be saved now.
  func fill(upTo gap: UInt64) -> String? {
    state.withLock { state in
      guard state.gaps == gap else { return nil }
      defer { (state.isGapOpen, state.heldMark) = (false, nil) }
      return state.heldMark
    }
  }
}

/// How a connection has ended.
struct LiveEnd {
  var failure: (any Error)?
  var isOfService = false
  var stood = Duration.zero

  /// How long the service asks to wait.
  var asked: Duration? { (failure as? any ClassifiedError)?.retryAfter }

  /// Whether the service refuses to send this model type's changes, so that asking soon is no use.
  ///
  /// Such an error would be about the write if it were one's: no permission, no such stream. A refused
  /// credential, and whatever may pass, are about the service.
  var isRefusal: Bool {
    guard isOfService, let error = failure as? any ClassifiedError else { return false }
    return error.failureKind != .transient && error.failureScope == .write
  }
}
