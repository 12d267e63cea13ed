public import Observation

/// The status of the outbox, for a view that is drawn again when it changes.
///
/// ```swift
/// let outbox = ObservedOutbox()
/// Text(outbox.status.pending == 0 ? "All sent" : "\(outbox.status.pending) to be sent")
/// ```
///
/// It belongs to the main actor. It begins when a view first reads it, and ends when it is
/// released.
@MainActor @Observable
public final class ObservedOutbox {
  private var last = Outbox.Status()

  /// The outbox, for buttons that retry or discard.
  @ObservationIgnored public let outbox: Outbox

  @ObservationIgnored private var task: Task<Void, Never>?

  /// Creates the status of an outbox for a view.
  public init(_ outbox: Outbox = Evocation.outbox) {
    self.outbox = outbox
  }

  deinit { task?.cancel() }

  /// The pending and the parked entries; empty before the first status arrives.
  public var status: Outbox.Status {
    begin()
    return last
  }

  private func begin() {
    guard task == nil else { return }
    let statuses = outbox.observe()
    task = Task { [weak self] in
      for await status in statuses {
        guard let self else { return }
        self.last = status
      }
    }
  }
}
