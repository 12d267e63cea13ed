/// One reader of an observation: what it was shown last, and what has come since.
struct Observer<Model: Sendable> {
  typealias Answer = Evocation.Result<[Model]>

  private let hub: ObservationHub<Model>
  private let origin: Evocation.RepositoryType
  private let criteria: Criteria
  private let mailbox = Mailbox<RepositoryChange<Model>>(capacity: 256)
  private let subscription: Evocation.Observation
  private var letters: ArraySlice<RepositoryChange<Model>> = []
  private var answer: ObservedAnswer<Model>?
  private var failure: String?
  private var asksAgain = true

  /// Begins to observe.
  ///
  /// - Throws: When the criteria do not fit the model.
  init(
    _ hub: ObservationHub<Model>, _ origin: Evocation.RepositoryType, _ criteria: Criteria
  ) throws(EvocationError) {
    self.hub = hub
    self.origin = origin
    self.criteria = try criteria.resolved(against: hub.access.schema)
    subscription = hub.subscribe(self.criteria, mailbox)
  }

  /// The next answer that differs from the last, or nil when the task is cancelled.
  mutating func next() async -> Answer? {
    while !Task.isCancelled {
      if asksAgain {
        if let shown = await ask() { return shown }
      } else if let letter = letters.popFirst() {
        if let shown = read(letter) { return shown }
      } else {
        await open()
      }
    }
    return nil
  }

  /// Waits for letters and takes them.
  private mutating func open() async {
    await mailbox.arrival()
    switch mailbox.empty() {
    case .letters(let new): letters = new[...]
    case .tooMany: asksAgain = true
    }
    // After a failure there is nothing to work changes into.
    if answer == nil, !letters.isEmpty { asksAgain = true }
  }

  /// Works a change in, and gives what is to be shown of it.
  private mutating func read(_ letter: RepositoryChange<Model>) -> Answer? {
    guard case .models(let stored, let updated, let removed) = letter,
      ObservedAnswer<Model>.canFollow(criteria),
      let hasChanged = try? answer?.apply(stored: stored, updated: updated, removed: removed)
    else {
      asksAgain = true
      return nil
    }
    return hasChanged ? shown(answer?.models ?? []) : nil
  }

  /// Asks the repository, and gives its answer when it differs from the last.
  ///
  /// A change that arrives meanwhile may be in the answer or not. Where the answer does not tell, it
  /// is asked once more; after a few times it is shown as it is and asked for again behind it.
  private mutating func ask() async -> Answer? {
    do {
      for attempt in 1...3 {
        _ = mailbox.empty()
        let models = try await hub.repository.find(criteria).value
        await hub.settle()
        let new = try ObservedAnswer(criteria, models, hub.access)
        let rest = lettersAfter(new)
        guard rest != nil || attempt == 3 else { continue }
        letters = rest ?? []
        asksAgain = rest == nil
        return show(new, models)
      }
      return nil
    } catch {
      return show(error)
    }
  }

  /// Takes the letters that came during a question, without those that its answer holds already.
  ///
  /// - Returns: Nil when that cannot be told.
  private func lettersAfter(
    _ answer: ObservedAnswer<Model>
  ) -> ArraySlice<RepositoryChange<Model>>? {
    guard case .letters(let arrived) = mailbox.empty(),
      arrived.isEmpty || ObservedAnswer<Model>.canFollow(criteria),
      let held = try? answer.heldCount(of: arrived)
    else { return nil }
    return arrived[held...]
  }

  private mutating func show(_ new: ObservedAnswer<Model>, _ models: [Model]) -> Answer? {
    let isKnown = failure == nil && answer.map(new.isSame) ?? false
    answer = new
    failure = nil
    return isKnown ? nil : shown(models)
  }

  private mutating func show(_ error: any Error) -> Answer? {
    let text = "\(error)"
    defer { failure = text }
    asksAgain = false
    answer = nil
    let isEnd = error is CancellationError && Task.isCancelled
    guard failure != text, !isEnd else { return nil }
    let trace = trace(.failed(text))
    return Evocation.Result(error: error, trace: trace)
  }

  private func shown(_ models: [Model]) -> Answer {
    Evocation.Result(data: models, origin: origin, trace: trace(.answered(count: models.count)))
  }

  private func trace(_ outcome: Evocation.Trace.Outcome) -> Evocation.Trace {
    let step = Evocation.Trace.Step(repository: origin, role: .target, outcome: outcome)
    return Evocation.Trace(model: hub.access.schema.model, call: "observe", steps: [step])
  }
}
