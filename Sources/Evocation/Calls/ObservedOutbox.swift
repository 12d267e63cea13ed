public import Observation

/// How the outbox stands, for a view that is drawn again when that changes.
///
/// ```swift
/// let outbox = ObservedOutbox()
/// Text(outbox.status.pending == 0 ? "All sent" : "\(outbox.status.pending) to be sent")
/// ```
///
/// It lives on the main actor. Observing begins when it is made and ends when it is released.
@MainActor @Observable
public final class ObservedOutbox {
  /// How the outbox stands; empty before the first look.
  public private(set) var status = Outbox.Status()

  /// What it observes, to be steered by the view.
  @ObservationIgnored public let outbox: Outbox

  @ObservationIgnored private var task: Task<Void, Never>?

  /// Begins to observe.
  public init(_ outbox: Outbox = Evocation.outbox) {
    self.outbox = outbox
    let statuses = outbox.observe()
    task = Task { [weak self] in
      for await status in statuses {
        guard let self else { return }
        self.status = status
      }
    }
  }

  deinit { task?.cancel() }
}
