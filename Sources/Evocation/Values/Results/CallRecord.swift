package import Foundation

/// The steps of a call, recorded while it runs.
///
/// Most calls ask each repository at most once, so the metadata say everything. Evocation then
/// creates the steps from the metadata when your app reads the trace.
@usableFromInline package struct CallRecord: Sendable {
  package let model: String
  let call: String
  @usableFromInline package internal(set) var metadata = Evocation.MetadataByRepository()
  /// When the data of the answer were fetched.
  @usableFromInline package var fetched = Fetched()
  /// The steps; nil while the metadata say all of them.
  private var steps: [Evocation.Trace.Step]?

  package init(model: String, call: String) {
    self.model = model
    self.call = call
  }

  init(metadata: Evocation.MetadataByRepository, trace: Evocation.Trace) {
    (model, call, steps) = (trace.model, trace.call, trace.steps)
    self.metadata = metadata
  }

  /// The steps in order, with their reasons.
  package var trace: Evocation.Trace {
    get {
      var steps = steps ?? metadata.steps
      addAge(to: &steps)
      return Evocation.Trace(model: model, call: call, steps: steps)
    }
    set { set(metadata, newValue) }
  }

  /// Replaces the metadata; the steps stay.
  mutating func set(_ metadata: Evocation.MetadataByRepository) {
    set(metadata, trace)
  }

  /// When the data of an answer were fetched; it has no date if that is unknown.
  ///
  /// It is a date and a closure, because each call copies it (`find, async`).
  @usableFromInline package struct Fetched: Sendable {
    /// When the data were fetched, or when the local store answered.
    private let moment: Date?
    private let find: (@Sendable () -> Date?)?

    package init(at date: Date? = nil) {
      moment = date
      find = nil
    }

    /// Creates the date of an answer of the local store, which the closure can find out.
    package init(answeredAt moment: Date, find: @escaping @Sendable () -> Date?) {
      self.moment = moment
      self.find = find
    }

    package var date: Date? { find.map { $0() } ?? moment }

    /// Finds out the date and keeps it.
    mutating func settle() {
      guard let find, let moment else { return }
      self = Fetched(answeredAt: moment) { [date = find()] in date }
    }

    /// How old the data were when the local store answered; nil for any other answer.
    var age: Duration? {
      guard let find, let moment, let date = find() else { return nil }
      return Duration(from: date, to: moment)
    }
  }

  private mutating func set(
    _ metadata: Evocation.MetadataByRepository, _ trace: Evocation.Trace
  ) {
    let fetched = fetched
    self = CallRecord(metadata: metadata, trace: trace)
    self.fetched = fetched
  }

  /// Adds the age of the local store's answer to its step.
  private func addAge(to steps: inout [Evocation.Trace.Step]) {
    guard
      let index = steps.lastIndex(where: { $0.repository == .local && $0.isAnswer }),
      steps[index].age == nil, let age = fetched.age
    else { return }
    steps[index].age = age
  }

  /// Finds out the date and keeps it, so that the closure and its data are released.
  package mutating func settleDate() { fetched.settle() }

  /// Records when the data of the answer were fetched.
  @inlinable
  package mutating func setFetched(_ fetched: Fetched) {
    self.fetched = fetched
  }

  /// Records what a repository did.
  package mutating func add(
    _ entry: consuming Evocation.Metadata, of type: Evocation.RepositoryType
  ) {
    if steps != nil || metadata[type] != nil { addSteps(of: copy entry, type) }
    metadata[type] = entry
  }

  /// Records what a repository did in an earlier refresh of the same query.
  package mutating func addEarlier(
    _ entry: Evocation.Metadata, of type: Evocation.RepositoryType
  ) {
    addSteps(of: entry, type)
    if metadata[type] == nil { metadata[type] = entry }
  }

  /// Records that the fallback could not be asked.
  package mutating func addMissingFallback(_ type: Evocation.RepositoryType) {
    skip(type, .fallback, reason: "the fallback, \(type.rawValue), is not registered")
  }

  /// Records that an equal running read did all the work; its metadata stay.
  package mutating func addJoined(_ target: Evocation.RepositoryType) {
    steps = []
    skip(target, .target, reason: "an equal read was running, and this one shares its result")
  }

  /// Records that a repository was not asked, and why.
  package mutating func skip(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, reason: String
  ) {
    add(Evocation.Trace.Step(repository: type, role: role, outcome: .skipped(reason), attempts: 0))
  }

  /// Adds a sentence to the reason of the last step, if that failed.
  package mutating func addToFailure(_ sentence: String) {
    var steps = steps ?? metadata.steps
    guard case .failed(let reason)? = steps.last?.outcome else { return }
    steps[steps.count - 1].outcome = .failed("\(reason.asSentence) \(sentence)")
    self.steps = steps
  }

  @inline(never)
  private mutating func addSteps(
    of entry: Evocation.Metadata, _ type: Evocation.RepositoryType
  ) {
    steps = (steps ?? metadata.steps) + entry.steps(of: type)
  }

  private mutating func add(_ step: Evocation.Trace.Step) {
    steps = (steps ?? metadata.steps) + [step]
  }
}

extension Evocation.MetadataByRepository {
  /// The steps in order, if each repository was asked once.
  fileprivate var steps: [Evocation.Trace.Step] {
    let steps = [Evocation.RepositoryType.remote, .local].compactMap { type in
      self[type].map { (role: $0.role, steps: $0.steps(of: type)) }
    }
    let queued = self[.local]?.queued.map { Evocation.Trace.Step(queued: $0) }
    return steps.sorted { $0.role.rank < $1.role.rank }.flatMap(\.steps)
      + (queued.map { [$0] } ?? [])
  }
}

extension Evocation.Metadata {
  /// The steps: one for each repository of a ``FallbackRepository`` that was asked, otherwise one.
  fileprivate func steps(of type: Evocation.RepositoryType) -> [Evocation.Trace.Step] {
    var last = Evocation.Trace.Step(self, of: type)
    let attempts = (error as? FallbackError)?.attempts
    var failed = attempts ?? values["unreachable"] as? [FallbackError.Attempt] ?? []
    if let error = attempts?.last?.error {
      (last.outcome, last.name) = (.failed(with: error), failed.popLast()?.repository)
    } else {
      last.name = values["answeredBy"] as? String
    }
    return failed.map {
      Evocation.Trace.Step(
        repository: type, role: role, outcome: .failed(with: $0.error), name: $0.repository)
    } + [last]
  }
}

extension Evocation.Metadata.Role {
  /// The position of the role in a call.
  fileprivate var rank: Int {
    switch self {
    case .cache: 0
    case .target: 1
    case .fallback: 2
    case .synchronization: 3
    case .rollback: 4
    }
  }
}

extension Evocation.Trace.Step {
  /// Creates the step that skips the remote, because the outbox sends the write.
  fileprivate init(queued: Evocation.Metadata.Queued) {
    let reason =
      queued.isDurable
      ? "the outbox sends it"
      : "the outbox sends it, unless the process ends before: local keeps nothing"
    self.init(
      repository: .remote, role: .synchronization, outcome: .skipped(reason), attempts: 0)
  }

  /// Creates the step of what a repository did.
  fileprivate init(_ metadata: Evocation.Metadata, of type: Evocation.RepositoryType) {
    let outcome: Evocation.Trace.Outcome =
      switch metadata.error {
      case nil:
        metadata[Evocation.Metadata.notAsked].map { .skipped("\($0)") }
          ?? .answered(count: metadata.count)
      case is CancellationError: .cancelled
      case .some(let error):
        .failed(with: error, remark: metadata["remark"].map { "\($0)" })
      }
    let leftOut = metadata.leftOut
    self.init(
      repository: type, role: metadata.role, outcome: outcome, attempts: metadata.attempts,
      duration: metadata.duration, leftOut: leftOut?.count ?? 0, leftOutReason: leftOut?.reason)
  }
}

extension Evocation.Trace.Step {
  /// Whether the step returned the call's answer.
  fileprivate var isAnswer: Bool {
    guard case .answered = outcome else { return false }
    return switch role {
    case .target, .fallback, .cache: true
    case .synchronization, .rollback: false
    }
  }
}
