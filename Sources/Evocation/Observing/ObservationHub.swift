import Dispatch

/// Leads the changes of one repository to the observers that they concern.
///
/// A write hands its change over and goes on; who is concerned is found on the hub's own queue, so
/// that a write costs the same however many observe.
final class ObservationHub<Model: Sendable>: Sendable {
  typealias Change = RepositoryChange<Model>

  private struct State {
    var index = ObserverIndex()
    var observers: [ObserverIndex.Number: Mailbox<Change>] = [:]
    var lastNumber: ObserverIndex.Number = 0
    var source: Evocation.Observation?
  }

  let repository: any ObservableRepository<Model>
  let access: ModelAccess<Model>
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "Evocation.ObservationHub")

  init(_ repository: any ObservableRepository<Model>, _ access: ModelAccess<Model>) {
    self.repository = repository
    self.access = access
  }

  /// Begins to lead changes that concern the criteria to a mailbox, until the answer is let go.
  ///
  /// The criteria must have been resolved.
  func subscribe(_ criteria: Criteria, _ mailbox: Mailbox<Change>) -> Evocation.Observation {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.observers[state.lastNumber] = mailbox
      state.index.insert(state.lastNumber, criteria)
      return state.lastNumber
    }
    listen()
    return Evocation.Observation { [weak self] in self?.unsubscribe(number) }
  }

  /// Waits until every change that was handed over so far has reached its mailboxes.
  func settle() async {
    let isSettled = Promise<Void>()
    queue.async { isSettled.fulfil(()) }
    await isSettled.value
  }

  private func listen() {
    guard state.withLock({ $0.source == nil }) else { return }
    let source = repository.observeChanges { [weak self] change in
      guard let self else { return }
      self.queue.async { self.publish(change) }
    }
    // Of two that begin to listen at once, one listens; the other's observation ends unused.
    state.withLock { state in
      if state.source == nil { state.source = source }
    }
  }

  private func unsubscribe(_ number: ObserverIndex.Number) {
    let (mailbox, source) = state.withLock { state in
      let mailbox = state.observers.removeValue(forKey: number)
      state.index.remove(number)
      defer { if state.observers.isEmpty { state.source = nil } }
      return (mailbox, state.observers.isEmpty ? state.source : nil)
    }
    source?.cancel()
    withExtendedLifetime(mailbox) {}
  }

  private func publish(_ change: Change) {
    let letter = change.isBrief ? change : .unknown
    let concerned = concerned(by: change)
    let mailboxes = state.withLock { state in concerned.compactMap { state.observers[$0] } }
    for mailbox in mailboxes { mailbox.put(letter) }
  }

  private func concerned(by change: Change) -> Set<ObserverIndex.Number> {
    guard case .models(let stored, let updated, let removed) = change else {
      return state.withLock(\.index.all)
    }
    let models = [stored, removed, updated.map(\.before), updated.map(\.after)].joined()
    var found = state.withLock(\.index.unconditional)
    do {
      for model in models {
        let fields = try access.fields(model)
        let isEverybody = state.withLock { state in
          state.index.collect(fields, into: &found)
          return found.count >= state.index.count
        }
        if isEverybody { break }
      }
      return found
    } catch {
      // A model that cannot be looked into may concern anybody.
      return state.withLock(\.index.all)
    }
  }
}

extension RepositoryChange {
  /// Whether an observer works the change in faster than it asks the repository again.
  fileprivate var isBrief: Bool {
    guard case .models(let stored, let updated, let removed) = self else { return true }
    return stored.count + updated.count + removed.count <= 256
  }
}
