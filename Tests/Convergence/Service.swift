import Evocation

/// A service that has a version for each model, and remembers the keys of what it did.
///
/// It belongs to one simulation, and is used by its one thread.
final class Service: @unchecked Sendable {
  enum Request: Hashable, Sendable {
    case find(Record.Kind, id: Int?)
    case write(Outbox.EntryKind, Record)

    /// What is written; nil for a read.
    var record: Record? { if case .write(_, let record) = self { record } else { nil } }

    var isRemoval: Bool { if case .write(.remove, _) = self { true } else { false } }
  }

  /// What a model was from a step on; nil for nothing.
  struct State: Sendable {
    let step: Int
    let record: Record?
    /// Grows with each write.
    let number: Int
    /// What a write says in its condition; nil where there are no versions beside the models.
    let tag: String?
  }

  typealias Answer = Result<[State], ServiceError>

  /// What a request did.
  struct Effect {
    let exchange: Network.Exchange
    let kind: Outbox.EntryKind
    /// The model as it was sent.
    let sent: Record
    let former: State?
    let made: State
  }

  private(set) var present: [Name: State] = [:]
  private(set) var effects: [Effect] = []
  /// All states that a model has had.
  private(set) var history: [Name: [State]] = [:]
  /// The first id of each model whose id the service gave, and the other way round.
  private(set) var firstIDs: [Name: Int] = [:]
  private(set) var givenIDs: [Name: [Int]] = [:]
  private(set) var conflicts = 0
  /// What each key of a write has done.
  private(set) var done: [String: Effect] = [:]
  private var answers: [String: Answer] = [:]
  private var lastNumber = 0
  private var lastID = 1_000
  let options: Options

  init(_ options: Options) { self.options = options }

  var records: [Name: Record] { present.compactMapValues(\.record) }

  /// The name that an instance had first, by which all that was written to it is known.
  func root(_ name: Name) -> Name {
    Name(kind: name.kind, id: firstIDs[name] ?? name.id)
  }

  func hasHad(_ record: Record?, _ name: Name) -> Bool {
    history[name]?.contains { $0.record == record } ?? (record == nil)
  }

  func answer(_ exchange: Network.Exchange, at step: Int) -> Answer {
    switch exchange.request {
    case .find(let kind, let id):
      let states = id.map { [present[Name(kind: kind, id: $0)]] } ?? Array(present.values)
      exchange.seen = lastNumber
      let found = states.compactMap { $0 }.filter { $0.record?.kind == kind }
      return .success(found.sorted { $0.record?.id ?? 0 < $1.record?.id ?? 0 })
    case .write(let kind, let record):
      if options.honoursKeys, let answer = answers[exchange.key] { return answer }
      let answer: Answer
      if let refusal = refusal(kind, record, exchange) {
        if refusal.failureKind == .conflict { conflicts += 1 }
        answer = .failure(refusal)
      } else {
        answer = .success(act(exchange, kind, record, at: step))
      }
      if options.repeatsRefusals || (try? answer.get()) != nil { answers[exchange.key] = answer }
      return answer
    }
  }

  /// Another app's write, past the network; nil removes.
  func set(_ name: Name, _ record: Record?, at step: Int) {
    _ = keep(name, record, at: step)
  }

  private func refusal(
    _ kind: Outbox.EntryKind, _ record: Record, _ exchange: Network.Exchange
  ) -> ServiceError? {
    let numbers = [record.title, record.body].compactMap { Int($0) }
    if options.refusesSome, kind != .remove, let number = numbers.first(where: { $0 % 13 == 0 }) {
      return ServiceError(number % 2 == 0 ? .permanent : .authorization, .write)
    }
    let state = present[record.name]
    let isThere = state?.record != nil
    switch kind {
    case .store: return isThere ? conflict(state) : nil
    case .update where !isThere: return options.missingIsConflict ? conflict(nil) : nil
    case .remove where !isThere: return nil
    case .update, .storeOrUpdate, .remove: break
    }
    switch options.versions {
    case .nowhere: return nil
    case .beside:
      guard let condition = exchange.condition else { return nil }
      return isThere && condition == state?.tag ? nil : conflict(state)
    case .property:
      guard options.checksVersions, kind != .remove || options.checksRemovals else { return nil }
      let version = kind == .remove ? exchange.base?.version ?? record.version : record.version
      return version == state?.record?.version ?? 0 ? nil : conflict(state)
    }
  }

  private func act(
    _ exchange: Network.Exchange, _ kind: Outbox.EntryKind, _ record: Record, at step: Int
  ) -> [State] {
    let former = present[record.name]
    let isThere = former?.record != nil
    if !isThere, kind == .update || kind == .remove {
      if kind == .remove { note(exchange, kind, record, former, former) }
      return []
    }
    var kept = record
    if kind != .remove, record.id < 0 {
      lastID += 1
      kept.id = lastID
      firstIDs[kept.name] = record.id
      givenIDs[record.name, default: []].append(lastID)
    }
    let made = keep(kept.name, kind == .remove ? nil : kept, at: step)
    note(exchange, kind, record, former, made)
    let answer = (kind == .remove ? former : made) ?? made
    return [options.answersVersions ? answer : answer.untagged]
  }

  private func note(
    _ exchange: Network.Exchange, _ kind: Outbox.EntryKind, _ sent: Record, _ former: State?,
    _ made: State?
  ) {
    let made = made ?? State(step: 0, record: nil, number: 0, tag: nil)
    let effect = Effect(exchange: exchange, kind: kind, sent: sent, former: former, made: made)
    done[exchange.key] = effect
    effects.append(effect)
  }

  private func keep(_ name: Name, _ record: Record?, at step: Int) -> State {
    lastNumber += 1
    var record = record
    record?.version = options.versions == .property ? lastNumber : 0
    let tag = options.versions == .beside && record != nil ? "\"\(lastNumber)\"" : nil
    let state = State(step: step, record: record, number: lastNumber, tag: tag)
    present[name] = state
    history[name, default: []].append(state)
    return state
  }

  private func conflict(_ state: State?) -> ServiceError {
    var error = ServiceError(.conflict)
    if options.saysCurrent { error.present = state }
    return error
  }
}

extension Service.Request: CustomStringConvertible {
  var description: String {
    switch self {
    case .find(let kind, let id): "find \(kind) \(id.map { "\($0)" } ?? "all")"
    case .write(let kind, let record): "\(kind) \(record)"
    }
  }
}

extension Service.State: CustomStringConvertible {
  var description: String { record.map { "\($0)" } ?? "nothing" }

  var untagged: Self { Self(step: step, record: record, number: number, tag: nil) }
}
