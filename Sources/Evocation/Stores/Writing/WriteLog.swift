package import Foundation

/// Records which models of one type the app writes while a fetch is under way.
///
/// Without a fetch under way, a write only checks for one. A fetch costs as little without a write.
package final class WriteLog<Model: Sendable>: Sendable {
  /// The beginning of a fetch; the log records later writes until it is released.
  package final class Mark: Sendable {
    private let log: WriteLog
    private let number: WriteMarks.Number
    private let session: Session
    private let registration: Registration?

    fileprivate init(_ log: WriteLog, _ session: Session?, of registration: Registration?) {
      self.log = log
      self.session = session ?? log.sessions.current
      self.registration = registration
      number = log.marks.withLock { $0.mark() }
    }

    deinit {
      log.marks.change { [number] in $0.release(number, of: Model.self) }
    }

    /// Records the models that the fetch saved, for fetches that began earlier and are not saved
    /// yet.
    ///
    /// Their models are older. They neither replace nor remove these models, nor bring back the
    /// removed ones. Models without ids cannot be distinguished, and are not recorded.
    package func recordSaved(_ models: [Model], removed: [Model] = []) {
      log.recordSaved(models, removed, before: number)
    }

    /// Whether the app has written nothing since the mark.
    package var isQuiet: Bool {
      log.marks.withLock { [number] in $0.isQuiet(since: number) }
    }

    /// Whether a sign-out came since the mark, so that nothing of the fetch may be saved.
    package var isSignedOut: Bool { session.isOver }

    /// Whether another service is registered since the mark, with its models in the same store.
    package func isReplaced(in store: StoreID) -> Bool {
      guard let registration, registration.isOver else { return false }
      return log.registrations.withLock { $0.store == store }
    }

    /// The models that were written since the mark.
    package var written: WrittenModels<Model> {
      let spans = log.marks.withLock { [number] in $0.written(since: number, of: Model.self) }
      guard var written = spans.first else { return WrittenModels() }
      for span in spans.dropFirst() { _ = written.add(span) }
      return written
    }
  }

  private let sessions: Sessions
  private let marks = Lock(WriteMarks())
  private let registrations = Lock(Registrations())

  /// Whether a fetch is under way that needs to know of writes.
  var isMarked: Bool { marks.withLock { $0.isMarked } }

  package init(_ sessions: Sessions = Sessions()) {
    self.sessions = sessions
  }

  /// Sets a mark; writes that are under way count as later than it.
  ///
  /// `session` is that in which the fetch was requested, if that was earlier. A sign-out since then
  /// counts too. `registration` is that of the service which is asked.
  package func mark(in session: Session? = nil, of registration: Registration?) -> Mark {
    Mark(self, session, of: registration)
  }

  /// Takes over the service and the store of a proxy, and returns the registration of that service.
  package func register(
    _ service: ServiceIdentity?, in store: StoreID?, by proxy: ObjectIdentifier, isNew: Bool,
    at date: Date
  ) -> Registration {
    registrations.withLock { $0.take(service, in: store, by: proxy, isNew: isNew, at: date) }
  }

  /// The store of the registered local repository; nil if there is none.
  package var presentStore: StoreID? { registrations.withLock { $0.store } }

  /// Ends the registration of the service.
  package func unregister() { registrations.withLock { $0.unregister() } }

  /// Records the models of a write, at the write's end and before the next write has its turn.
  package func record(_ write: (inout WrittenModels<Model>) -> Void) {
    guard marks.withLock({ $0.isMarked }) else { return }
    var written = WrittenModels<Model>()
    write(&written)
    guard !written.isEmpty else { return }
    marks.change { [written] in $0.record(written) }
  }

  /// Records what a service has sent automatically, for all fetches that are not saved yet.
  ///
  /// Their answers may be older, and do not replace it. If one is newer, the service sends that too.
  package func recordSent(_ models: [Model], removed: [ModelID]) {
    guard ModelID.all(of: models) != nil else { return }
    record { written in
      _ = written.record(models) { .kept($0) }
      written.record(removed: removed)
    }
  }

  private func recordSaved(
    _ models: [Model], _ removed: [Model], before number: WriteMarks.Number
  ) {
    guard marks.withLock({ $0.isMarked(before: number) }) else { return }
    var saved = WrittenModels<Model>()
    _ = saved.record(models) { .kept($0) }
    _ = saved.record(removed) { .gone($0) }
    guard !saved.isEmpty, !saved.isUnknown else { return }
    marks.change { [saved] in $0.record(saved, before: number) }
  }
}
