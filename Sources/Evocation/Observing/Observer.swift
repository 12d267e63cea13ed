/// One reader of an observation: what it was shown last, and what has come since.
///
/// It asks the repository once, and works in the changes that came after the version which the answer
/// shows. What cannot be worked in has it ask anew.
struct Observer<Model: Sendable> {
  /// What is to be shown, and of which version of the repository's state.
  struct Sight: Sendable {
    let result: Evocation.Result<[Model]>
    let version: UInt64?
    /// Whether it shows the same as the one before, and only the version is another.
    var isUnchanged = false
  }

  private let hub: ObservationHub<Model>
  private let origin: Evocation.RepositoryType
  private let criteria: Criteria
  private let tellsVersions: Bool
  private let buffer = EventBuffer<ObservationEvent<Model>>(capacity: 256)
  private let subscription: ObservationHub<Model>.Subscription
  private var events: ArraySlice<ObservationEvent<Model>> = []
  private var answer: ObservedAnswer<Model>?
  private var version: UInt64?
  /// The version of which was told last.
  private var toldVersion: UInt64?
  private var failure: String?
  private var asksAgain = true

  /// Begins to observe.
  ///
  /// Where it tells versions, an answer that is as the last one is given too if it is of a later one.
  ///
  /// - Throws: When the criteria do not fit the model.
  init(
    _ hub: ObservationHub<Model>, _ origin: Evocation.RepositoryType, _ criteria: Criteria,
    tellsVersions: Bool = false
  ) throws(EvocationError) {
    self.hub = hub
    self.origin = origin
    self.criteria = try criteria.resolved(against: hub.access.schema)
    self.tellsVersions = tellsVersions
    subscription = hub.subscribe(self.criteria, buffer)
  }

  /// Has the observer tell that it has reached a version, once it has worked in all that came before.
  var reach: @Sendable (UInt64) -> Void {
    { [weak subscription] version in subscription?.reach(version) }
  }

  /// The next answer that differs from the last, or nil when the task is cancelled.
  mutating func next() async -> Sight? {
    while !Task.isCancelled {
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

  /// Waits for events and takes them.
  private mutating func receive() async {
    await buffer.arrival()
    switch buffer.empty() {
    case .events(let new): events = new[...]
    case .tooMany: asksAgain = true
    }
    // After a failure there is nothing to work changes into.
    if answer == nil, !events.isEmpty { asksAgain = true }
  }

  /// Works an event in, and gives what is to be shown of it.
  private mutating func read(_ event: ObservationEvent<Model>) -> Sight? {
    switch event {
    case .change(let change): read(change)
    case .reached(let reached): catchUp(to: reached)
    }
  }

  private mutating func read(_ change: RepositoryChange<Model>) -> Sight? {
    // Of a repository that counts no versions nobody knows what the answer has already.
    guard let version, let changed = change.version else {
      asksAgain = true
      return nil
    }
    guard changed > version else { return nil }
    guard case .models(let stored, let updated, let removed) = change.extent,
      ObservedAnswer<Model>.canFollow(criteria),
      let hasChanged = try? answer?.apply(stored: stored, updated: updated, removed: removed)
    else {
      asksAgain = true
      return nil
    }
    self.version = changed
    return hasChanged ? shown(answer?.models ?? []) : nil
  }

  /// Every change up to a version has been worked in; what is shown is shown again as being of it.
  private mutating func catchUp(to reached: UInt64) -> Sight? {
    guard let version else { return nil }
    self.version = max(version, reached)
    // A change that left the answer as it was has made it newer without a word.
    guard reached > toldVersion ?? 0 else { return nil }
    return shown(answer?.models ?? [], isUnchanged: true)
  }

  /// Asks the repository, and gives its answer when it differs from the last.
  private mutating func ask() async -> Sight? {
    // What came before is in the answer.
    (events, asksAgain) = ([], false)
    _ = buffer.empty()
    do {
      let snapshot = try await hub.repository.snapshot(criteria)
      return show(ObservedAnswer(criteria, snapshot.models, hub.access), snapshot)
    } catch {
      return show(error)
    }
  }

  private mutating func show(
    _ new: ObservedAnswer<Model>, _ snapshot: RepositorySnapshot<Model>
  ) -> Sight? {
    let isSame = failure == nil && answer.map(new.isSame) ?? false
    let isNewer = tellsVersions && snapshot.version != toldVersion
    answer = new
    version = snapshot.version
    failure = nil
    return isSame && !isNewer ? nil : shown(snapshot.models, isUnchanged: isSame)
  }

  private mutating func show(_ error: any Error) -> Sight? {
    let text = "\(error)"
    defer { failure = text }
    answer = nil
    let isEnd = error is CancellationError && Task.isCancelled
    guard failure != text, !isEnd else { return nil }
    return Sight(result: Evocation.Result(error: error, trace: trace(.failed(text))), version: nil)
  }

  private mutating func shown(_ models: [Model], isUnchanged: Bool = false) -> Sight {
    let trace = trace(.answered(count: models.count))
    toldVersion = version
    return Sight(
      result: Evocation.Result(data: models, origin: origin, trace: trace), version: version,
      isUnchanged: isUnchanged)
  }

  private func trace(_ outcome: Evocation.Trace.Outcome) -> Evocation.Trace {
    let step = Evocation.Trace.Step(repository: origin, role: .target, outcome: outcome)
    return Evocation.Trace(model: hub.access.schema.model, call: "observe", steps: [step])
  }
}
