internal import Foundation

/// What a call tried, as it goes on.
///
/// Most calls ask each repository at most once, and all that there is to tell is in the metadata; then
/// the steps are made of these when somebody asks for the trace.
@usableFromInline
struct CallRecord: Sendable {
  let model: String
  let call: String
  private(set) var metadata = Evocation.MetadataByRepository()
  /// When what was answered was fetched.
  var fetched = Fetched()
  /// The steps, where the metadata do not tell all of them.
  private var steps: [Evocation.Trace.Step]?

  init(model: String, call: String) {
    self.model = model
    self.call = call
  }

  init(metadata: Evocation.MetadataByRepository, trace: Evocation.Trace) {
    (model, call, steps) = (trace.model, trace.call, trace.steps)
    self.metadata = metadata
  }

  /// The steps, in order, and why.
  var trace: Evocation.Trace {
    get {
      var steps = steps ?? metadata.steps
      addAge(to: &steps)
      return Evocation.Trace(model: model, call: call, steps: steps)
    }
    set { set(metadata, newValue) }
  }

  /// Puts other metadata in their place; the steps stay.
  mutating func set(_ metadata: Evocation.MetadataByRepository) {
    set(metadata, trace)
  }

  /// When what was answered was fetched; nothing where that is not known.
  ///
  /// A date and a closure, because a call copies it (`find, async`).
  struct Fetched: Sendable {
    /// When it was fetched, or when local answered.
    private let moment: Date?
    private let find: (@Sendable () -> Date?)?

    init(at date: Date? = nil) {
      moment = date
      find = nil
    }

    /// Local answered, and the date can be found out.
    init(answeredAt moment: Date, find: @escaping @Sendable () -> Date?) {
      self.moment = moment
      self.find = find
    }

    var date: Date? { find.map { $0() } ?? moment }

    /// Finds the date out once and for all.
    mutating func settle() {
      guard let find, let moment else { return }
      self = Fetched(answeredAt: moment) { [date = find()] in date }
    }

    /// How old it was when local answered; nil where somebody else did.
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

  /// Says how long ago what local answered was fetched.
  private func addAge(to steps: inout [Evocation.Trace.Step]) {
    guard
      let index = steps.lastIndex(where: { $0.repository == .local && $0.isAnswer }),
      steps[index].age == nil, let age = fetched.age
    else { return }
    steps[index].age = age
  }

  /// Finds the date out, so that it is known from here on, and what tells it can go.
  mutating func settleDate() { fetched.settle() }

  /// Notes when what was answered was fetched.
  mutating func noteFetched(_ fetched: Fetched) {
    self.fetched = fetched
  }

  /// Notes how a repository did.
  mutating func note(_ entry: Evocation.Metadata, of type: Evocation.RepositoryType) {
    if steps != nil || metadata[type] != nil { add(Evocation.Trace.Step(entry, of: type)) }
    metadata[type] = entry
  }

  /// Notes that the fallback could not be asked.
  mutating func noteMissingFallback(_ type: Evocation.RepositoryType) {
    skip(type, .fallback, "the fallback, \(type.rawValue), is not registered")
  }

  /// Notes that all of it was done by an equal read that was under way; its metadata stay.
  mutating func noteJoined(_ target: Evocation.RepositoryType) {
    steps = []
    skip(target, .target, "an equal read was running, and this one shares its result")
  }

  /// Notes that a repository was not asked, and why.
  mutating func skip(
    _ type: Evocation.RepositoryType, _ role: Evocation.Metadata.Role, _ reason: String
  ) {
    add(Evocation.Trace.Step(repository: type, role: role, outcome: .skipped(reason), attempts: 0))
  }

  /// Adds a sentence to the reason for which the last step failed, where it did.
  mutating func addToFailure(_ sentence: String) {
    var steps = steps ?? metadata.steps
    guard case .failed(let reason)? = steps.last?.outcome else { return }
    steps[steps.count - 1].outcome = .failed("\(reason.asSentence) \(sentence)")
    self.steps = steps
  }

  private mutating func add(_ step: Evocation.Trace.Step) {
    steps = (steps ?? metadata.steps) + [step]
  }
}

extension Evocation.MetadataByRepository {
  /// What was asked, in order, where each repository was asked once.
  fileprivate var steps: [Evocation.Trace.Step] {
    let steps = [Evocation.RepositoryType.remote, .local].compactMap { type in
      self[type].map { Evocation.Trace.Step($0, of: type) }
    }
    let queued = self[.local]?.queued.map { Evocation.Trace.Step(queued: $0) }
    return steps.sorted { $0.role.rank < $1.role.rank } + (queued.map { [$0] } ?? [])
  }
}

extension Evocation.Metadata.Role {
  /// When in a call it is played.
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
  /// That the remote was left out, because the outbox sends to it.
  fileprivate init(queued: Evocation.Metadata.Queued) {
    let reason =
      queued.isDurable
      ? "the outbox sends it"
      : "the outbox sends it, unless the process ends before: local keeps nothing"
    self.init(
      repository: .remote, role: .synchronization, outcome: .skipped(reason), attempts: 0)
  }

  /// How a repository did.
  fileprivate init(_ metadata: Evocation.Metadata, of type: Evocation.RepositoryType) {
    let outcome: Evocation.Trace.Outcome =
      switch metadata.error {
      case nil: .answered(count: metadata.count)
      case is CancellationError: .cancelled
      case .some(let error):
        .failed(
          metadata["remark"].map { "\("\(error)".asSentence) \($0)" } ?? "\(error)")
      }
    self.init(
      repository: type, role: metadata.role, outcome: outcome, attempts: metadata.attempts,
      duration: metadata.duration)
  }
}

extension Evocation.Trace.Step {
  /// Whether it gave the call's answer.
  fileprivate var isAnswer: Bool {
    guard case .answered = outcome else { return false }
    return switch role {
    case .target, .fallback, .cache: true
    case .synchronization, .rollback: false
    }
  }
}
