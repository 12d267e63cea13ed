/// One reader of an observation: the last answer that it showed, and the changes since.
///
/// It asks the repository once, and applies the changes that come after the version of the answer.
/// After a change that it cannot apply, it asks again.
package struct Observer<Model: Sendable> {
  /// A result to show, and the version of the repository's state that it belongs to.
  package struct ObservedState: Sendable {
    package let result: Evocation.Result<[Model]>
    package let version: UInt64?
    /// Whether it shows the same models as the last one, with another version.
    package var isUnchanged = false
  }

  private let hub: ObservationHub<Model>
  private let origin: Evocation.RepositoryType
  private var criteria: Criteria
  private let givesVersions: Bool
  private let buffer = Broadcast<ObservationEvent<Model>>.Buffer(capacity: 256)
  private let subscription: ObservationHub<Model>.Subscription
  private var events: ArraySlice<ObservationEvent<Model>> = []
  private var answer: ObservedAnswer<Model>?
  private var version: UInt64?
  /// The version of the last result that was returned.
  private var givenVersion: UInt64?
  private var failure: String?
  private var asksAgain = true
  /// Whether a change was applied that has not been shown.
  private var hasUnshown = false
  /// Whether it has ended because another repository is registered, or none.
  package private(set) var isReplaced = false

  /// Begins to observe.
  ///
  /// With `givesVersions` it also returns an unchanged answer, if that belongs to a later version.
  ///
  /// - Throws: An ``EvocationError`` if the criteria do not fit the model.
  package init(
    _ hub: ObservationHub<Model>, _ origin: Evocation.RepositoryType, criteria: Criteria,
    givesVersions: Bool = false
  ) throws(EvocationError) {
    self.hub = hub
    self.origin = origin
    self.criteria = try criteria.resolved(against: hub.access.schema)
    self.givesVersions = givesVersions
    subscription = hub.subscribe(self.criteria, buffer, for: givesVersions ? nil : criteria)
  }

  /// Makes the observer report that it has reached a version, after all changes before it.
  package var barrier: @Sendable (UInt64) -> Void {
    { [weak subscription] version in subscription?.barrier(version) }
  }

  /// Goes on from what an observer of another repository has shown last, so that nothing comes twice.
  package mutating func goOn(from former: Observer) {
    (answer, failure, hasUnshown) = (former.answer, former.failure, former.hasUnshown)
  }

  /// Returns the next answer that differs from the last one; nil if the task is canceled, or another
  /// repository is registered.
  package mutating func next() async -> ObservedState? {
    while !Task.isCancelled, !isReplaced {
      if asksAgain {
        if let shown = await ask() { return shown }
      } else if let event = events.popFirst() {
        if let shown = read(event) { return shown }
      } else {
        await receive()
      }
    }
    return nil
  }

  /// Waits for events, and takes them.
  private mutating func receive() async {
    await buffer.arrival()
    let (new, hasMissed) = take()
    events = new[...]
    // After a failure there is no answer to apply changes to.
    asksAgain = hasMissed || answer == nil && !events.isEmpty
  }

  /// Takes all events, and notices the last one of all.
  private mutating func take() -> (events: [ObservationEvent<Model>], hasMissed: Bool) {
    let taken = buffer.takeAll()
    for case .replaced in taken.events { isReplaced = true }
    return taken
  }

  /// Applies an event, and returns the new answer if there is one to show.
  private mutating func read(_ event: ObservationEvent<Model>) -> ObservedState? {
    switch event {
    case .change(let change): read(change)
    case .barrier(let version): catchUp(to: version)
    case .replaced: nil
    }
  }

  private mutating func read(_ change: RepositoryChange<Model>) -> ObservedState? {
    // Without versions, the answer may already have the change.
    guard let version, let changed = change.version else {
      asksAgain = true
      return nil
    }
    guard changed > version else { return nil }
    let former = answer?.models.count ?? 0
    guard case .models(let stored, let updated, let removed) = change.extent,
      ObservedAnswer<Model>.canFollow(criteria),
      let hasChanged = try? answer?.apply(stored: stored, updated: updated, removed: removed)
    else {
      asksAgain = true
      return nil
    }
    if mayBeRenamed(former: former) {
      (asksAgain, hasUnshown) = (true, hasChanged)
      return nil
    }
    self.version = changed
    return hasChanged ? shown(answer?.models ?? []) : nil
  }

  /// Whether a model is gone that the criteria name by an id, which may be another one now.
  ///
  /// The server's id comes in a commit of its own, in which nothing takes the place of what is gone.
  private func mayBeRenamed(former: Int) -> Bool {
    (answer?.models.count ?? 0) < former && hub.ids?.areIn(criteria) ?? false
  }

  /// Returns the unchanged answer again, with a version up to which all changes have been applied.
  private mutating func catchUp(to reached: UInt64) -> ObservedState? {
    guard let version else { return nil }
    self.version = max(version, reached)
    // A change that did not change the answer has made its version newer, and returned nothing.
    guard reached > givenVersion ?? 0 else { return nil }
    return shown(answer?.models ?? [], isUnchanged: true)
  }

  /// Asks the repository, and returns its answer if it differs from the last one.
  private mutating func ask() async -> ObservedState? {
    // The answer has all earlier events.
    (events, asksAgain) = ([], false)
    _ = take()
    await hub.begun()
    if let present = await hub.ids?.followed(criteria),
      let resolved = try? present.resolved(against: hub.access.schema)
    {
      criteria = resolved
      subscription.follow(resolved)
    }
    do {
      let snapshot = try await hub.repository.snapshot(criteria)
      return show(ObservedAnswer(criteria, snapshot.models, access: hub.access), snapshot)
    } catch {
      return show(error)
    }
  }

  private mutating func show(
    _ new: ObservedAnswer<Model>, _ snapshot: RepositorySnapshot<Model>
  ) -> ObservedState? {
    let isSame = failure == nil && !hasUnshown && answer.map(new.isSame) ?? false
    let isNewer = givesVersions && snapshot.version != givenVersion
    answer = new
    hasUnshown = false
    version = snapshot.version
    failure = nil
    return isSame && !isNewer ? nil : shown(snapshot.models, isUnchanged: isSame)
  }

  private mutating func show(_ error: any Error) -> ObservedState? {
    let text = "\(error)"
    defer { failure = text }
    answer = nil
    let isEnd = error is CancellationError && Task.isCancelled
    guard failure != text, !isEnd else { return nil }
    return ObservedState(
      result: Evocation.Result(error: error, trace: trace(.failed(text))), version: nil)
  }

  private mutating func shown(_ models: [Model], isUnchanged: Bool = false) -> ObservedState {
    let trace = trace(.answered(count: models.count))
    givenVersion = version
    return ObservedState(
      result: Evocation.Result(data: models, origin: origin, trace: trace), version: version,
      isUnchanged: isUnchanged)
  }

  private func trace(_ outcome: Evocation.Trace.Outcome) -> Evocation.Trace {
    let step = Evocation.Trace.Step(repository: origin, role: .target, outcome: outcome)
    return Evocation.Trace(model: hub.access.schema.model, call: "observe", steps: [step])
  }
}
