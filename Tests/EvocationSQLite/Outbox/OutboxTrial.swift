import Evocation
import EvocationSQLite
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// What the trial writes.
struct Piece: Codable, Identifiable, Sendable, Equatable {
  var id: Int
  var name: String
  var size: Double?
  var owner: Int?
}

/// Plays the same random operations on a repository and on the reference, and compares them.
///
/// The ids of entries are random, and so entries are compared without them, in their order.
final class OutboxTrial {
  private var random: SeededGenerator
  private let reference: any OutboxStore<Piece>
  private(set) var tried: any OutboxStore<Piece>
  private var shadows: [Shadow]
  private var time = 0.0

  init(
    _ random: SeededGenerator, _ tried: any OutboxStore<Piece>,
    reference: any OutboxStore<Piece> = InMemoryRepository<Piece>()
  ) async throws {
    self.random = random
    self.reference = reference
    self.tried = tried
    shadows = [try await Shadow(reference), try await Shadow(tried)]
  }

  /// Goes on with another repository, on which the same must lie.
  func goOn(with repository: any OutboxStore<Piece>) async throws {
    tried = repository
    shadows[1] = try await Shadow(repository)
    try await compare("opened again")
  }

  /// Does one thing to both, and compares what they then have.
  func step() async throws {
    time += 1
    let operation = try await operation()
    var outcomes: [String] = []
    for repository in [reference, tried] {
      do {
        outcomes.append(try await operation.run(repository))
      } catch let error as EvocationError {
        outcomes.append("\(error)")
      } catch is Refusal {
        outcomes.append("refused")
      }
    }
    #expect(outcomes[0] == outcomes[1], "\(operation.name)")
    try await compare(operation.name)
  }

  private func compare(_ name: String) async throws {
    let date = Date(timeIntervalSinceReferenceDate: time - 3)
    let probe = Probe(criteria: criteria(), date: date)
    let (expected, found) = (try await probe.state(of: reference), try await probe.state(of: tried))
    for (expected, found) in zip(expected, found) where expected != found {
      Issue.record("after \(name):\n\(expected)\nis\n\(found)")
    }
    for shadow in shadows { try await shadow.check(name) }
  }

  private struct Refusal: Error {}

  private struct Operation {
    let name: String
    let run: (any OutboxStore<Piece>) async throws -> String

    init(_ name: String, _ run: @escaping (any OutboxStore<Piece>) async throws -> String) {
      self.name = name
      self.run = run
    }
  }

  private func operation() async throws -> Operation {
    switch random.count(0...19) {
    case 0...7: return write()
    case 8...9: return fetched()
    case 10: return refused()
    case 11: return common()
    default: return try await onEntry() ?? write()
    }
  }

  /// A write of the app that is queued.
  private func write() -> Operation {
    let (action, time) = (action(), time)
    let priority: Strategy.Priority = random.count(0...2) == 0 ? .utility : .normal
    return Operation("queued \(action), \(priority)") { repository in
      let name = repository.queueName
      var note = OutboxNote<Piece>(queuedAt: Date(timeIntervalSinceReferenceDate: time)) { piece in
        piece.owner.map { [Outbox.Reference(queue: name, key: "\($0)")] } ?? []
      }
      note.priority = priority
      let commit = try await repository.commit(StoreWrite([action], outbox: note))
      return "\(commit.answers), \(commit.isPending)"
    }
  }

  private func action() -> StoreWrite<Piece>.Change {
    let pieces = (0..<random.count(1...3)).map { _ in piece() }
    return switch random.count(0...3) {
    case 0: .store(pieces)
    case 1: .update(pieces)
    case 2: .storeOrUpdate(pieces)
    default: .remove(pieces)
    }
  }

  /// What was fetched, or what the app wrote past the outbox.
  private func fetched() -> Operation {
    let action: StoreWrite<Piece>.Change =
      random.count(0...1) == 0
      ? .mirror((0..<random.count(0...4)).map { _ in piece() }, for: criteria()) : action()
    let sources: [StoreWrite<Piece>.Source] = [.remote, .cache, .app]
    let source = sources[random.count(0...2)]
    return Operation("\(source): \(action)") { repository in
      let commit = try await repository.commit(StoreWrite([action], source: source))
      return "\(commit.answers), \(commit.isPending)"
    }
  }

  /// A transaction that fails in the middle, and of which nothing is kept.
  private func refused() -> Operation {
    let (piece, time) = (piece(), time)
    return Operation("refused \(piece)") { repository in
      try await repository.transact(isShort: true) { transaction in
        try transaction.put(piece, before: transaction.held(piece))
        try transaction.append(
          Outbox.Entry(
            id: "x", kind: .update, model: piece, base: nil,
            queuedAt: Date(timeIntervalSinceReferenceDate: time)))
        let first = try transaction.records(after: .min, limit: 1).first
        if let first { try transaction.delete(first.position) }
        try transaction.entries.setHeld(true)
        try transaction.entries.setLease(nil)
        try transaction.setVersion("refused", of: piece)
        throw Refusal()
      }
    }
  }

  /// What concerns all entries.
  private func common() -> Operation {
    let isHeld = random.count(0...1) == 0
    let lease = OutboxLease(
      holder: "\(time)", until: Date(timeIntervalSinceReferenceDate: time), length: .seconds(time))
    let (piece, version) = (piece(), random.count(0...2) == 0 ? nil : "\"\(time)\"")
    let (endsWaits, forgets) = (random.count(0...3) == 0, random.count(0...3) == 0)
    let isFree = random.count(0...2) == 0
    return Operation("held: \(isHeld), free: \(isFree)") { repository in
      try await repository.transact(isShort: true) { transaction in
        let entries = transaction.entries
        try entries.setHeld(isHeld)
        try entries.setLease(isFree ? nil : lease)
        try entries.reviveUnreadable()
        try transaction.setVersion(version, of: piece)
        if endsWaits { try entries.endWaits() }
        if forgets {
          try entries.forgetRenamings(
            to: .init(queue: transaction.queueName, key: transaction.key(of: piece)))
        }
      }
      return ""
    }
  }

  /// What becomes of an entry; nil without entries.
  private func onEntry() async throws -> Operation? {
    let count = try await reference.look(isShort: false) {
      try $0.records(after: .min, limit: 100).count
    }
    guard count > 0 else { return nil }
    let (index, choice) = (random.count(0...count - 1), random.count(0...9))
    let (piece, keepsID, isSilent) = (piece(), random.count(0...3) > 0, random.count(0...3) == 0)
    let until = Date(timeIntervalSinceReferenceDate: time + 0.5)
    return Operation("\(choice) of entry \(index)") { repository in
      try await repository.transact(isShort: true) { transaction in
        let records = try transaction.records(after: .min, limit: 100)
        guard let entry = records[index].entry else { return "unreadable" }
        var answer = piece
        if keepsID { answer.id = entry.model.id }
        return try Self.play(choice, on: entry, answer, isSilent, until, in: transaction)
      }
    }
  }

  private static func play(
    _ choice: Int, on entry: Outbox.Entry<Piece>, _ answer: Piece, _ isSilent: Bool, _ until: Date,
    in transaction: any OutboxTransaction<Piece>
  ) throws -> String {
    switch choice {
    case 0...1:
      try transaction.entries.take(entry.position)
      return ""
    case 2: return "\(try transaction.entries.promote(entry.position))"
    case 3:
      let changed = try transaction.changeState(of: entry) {
        ($0.state, $0.attempts) = (.waiting(until: until, reason: "busy"), $0.attempts + 1)
        $0.waitsSince = until.addingTimeInterval(-0.5)
      }
      return "\(changed != nil)"
    case 4:
      let changed = try transaction.changeState(of: entry) {
        $0.state = .parked(.permanent, reason: "no")
      }
      return "\(changed != nil)"
    case 5...7:
      let version = isSilent ? nil : "\"\(answer.name)\""
      let outcome = try transaction.acknowledge(
        entry, answer: VersionedModel(isSilent ? nil : answer, version: version),
        isRepeated: entry.wasAttempted)
      return outcome.map { "\($0.model), \($0.answeredAnother), \($0.isLast)" } ?? "gone"
    case 8:
      let key = try transaction.key(of: entry.model)
      return "\(try transaction.discard(id: entry.id, key: key).count)"
    default:
      var edited = answer
      edited.id = entry.model.id
      let found = try transaction.edit(entry, as: edited, note: OutboxNote(queuedAt: until))
      return found.map { "\($0.id == entry.id)" } ?? "gone"
    }
  }

  private func piece() -> Piece {
    Piece(
      id: random.count(0...6), name: ["", "a", "b\0", "ä"][random.count(0...3)],
      size: [nil, 1, .infinity, 0.1][random.count(0...3)],
      owner: random.count(0...3) == 0 ? random.count(0...6) : nil)
  }

  private func criteria() -> Criteria {
    let name: Criteria = ["name": "a"]
    return switch random.count(0...5) {
    case 0: name
    case 1: ["id": random.count(0...6)]
    case 2: Criteria().sorted(by: "name", descending: true).limit(random.count(0...3))
    case 3: name.limit(2)
    default: Criteria()
    }
  }
}

/// What a repository has, as texts that can be compared.
private struct Probe: Sendable {
  let criteria: Criteria
  let date: Date

  func state(of repository: any OutboxStore<Piece>) async throws -> [String] {
    let (criteria, date, name) = (criteria, date, repository.queueName)
    let models = try await repository.find(Criteria()).value
    return ["models: \(models)"]
      + (try await repository.look(isShort: false) { transaction in
        let all = try transaction.records(after: .min, limit: 1_000)
        let positions = all.map(\.position)
        #expect(positions == positions.sorted() && Set(positions).count == all.count)
        let middle = positions.isEmpty ? 0 : positions[positions.count / 2]
        var lines = ["entries: \(all.map { Self.text($0, name) })"]
        let entries = transaction.entries
        for (after, limit) in [(Int64.min, 3), (middle, 100), (.max, 1), (.min, 0)] {
          let found = try transaction.records(after: after, limit: limit)
          lines.append("\(limit): \(found.map { Self.text($0, name) })")
          let pending = try entries.pending(after: after, limit: limit)
          lines.append("\(limit): \(pending.map { Self.text($0, positions) })")
        }
        let single = try positions.map { try transaction.record(at: $0)?.position }
        lines.append("\(single == positions), \(try transaction.record(at: .max) == nil)")
        let due = try entries.due(by: date, limit: 1_000).sorted { $0.position < $1.position }
        lines.append("due: \(due.map { Self.text($0, positions) })")
        lines.append("next: \(try entries.nextDue() as Date?)")
        for id in 0...6 {
          let reference = Outbox.Reference(queue: name, key: "\(id)")
          lines.append(
            "\(id): \(try transaction.records(of: "\(id)").map { Self.text($0, name) }), "
              + "\(Self.text(try entries.ends(of: reference), positions)), "
              + "\(try entries.firstReferring(to: reference, within: .min ... middle).flatMap(positions.firstIndex) ?? -1), "
              + "\(try entries.renaming(of: reference).map { String(decoding: $0.identity, as: UTF8.self) } ?? ""), "
              + "\(try transaction.version(of: Piece(id: id, name: "")) ?? "none"), "
              + "\(try transaction.records(referringTo: reference).map { Self.text($0, name) }), "
              + "\(try transaction.held(Piece(id: id, name: "")) as Piece?)")
        }
        let none = Outbox.Reference(queue: "none\0\"", key: "1")
        lines.append("none: \(try entries.ends(of: none) == nil)")
        let (lease, isHeld) = (try entries.lease, try entries.isHeld)
        lines.append("\(try entries.count()), \(try transaction.isEmpty), \(isHeld)")
        lines.append("lease: \(lease as OutboxLease?)")
        lines.append("unsent: \(try transaction.unsent(matching: criteria)) by \(criteria)")
        return lines
      })
  }

  private static func text(_ record: OutboxRecord<Piece>, _ name: String) -> String {
    guard let entry = record.entry else { return "unreadable" }
    let isWaiting = if case .waiting = entry.state { true } else { false }
    let references = (entry.references + entry.formerReferences).map { reference in
      "\(reference.queue == name ? "own" : reference.queue)/\(reference.key)"
    }
    return "\(entry.kind) \(entry.model) on \(entry.base as Piece?) at \(entry.queuedAt), "
      + "\(entry.attempts), \(entry.state), \(entry.wasAttempted), \(references.sorted()), "
      + "seen \(entry.seen as Piece?) \(entry.isSeenSince), version \(entry.version ?? "none"), "
      + "\(entry.priority), since \((isWaiting ? entry.waitsSince : nil).map { "\($0)" } ?? "never")"
  }

  /// A row, by its turn among all positions.
  private static func text(_ row: OutboxRow, _ positions: [Int64]) -> String {
    "\(positions.firstIndex(of: row.position) ?? -1): \(row.kind) of \(row.instance.key), "
      + "\(row.wasAttempted), \(row.isUtility)"
  }

  private static func text(_ ends: ClosedRange<Int64>?, _ positions: [Int64]) -> String {
    guard let ends else { return "none" }
    let turns = [ends.lowerBound, ends.upperBound].map { positions.firstIndex(of: $0) ?? -1 }
    return "\(turns)"
  }
}

/// The models as observers are told of them.
private final class Shadow: Sendable {
  private let repository: any OutboxStore<Piece>
  private let models: Lock<[Int: Piece]>
  private let faults = Lock<[String]>([])
  private let observation = Lock<Evocation.Observation?>(nil)

  init(_ repository: any OutboxStore<Piece>) async throws {
    self.repository = repository
    let models = Lock<[Int: Piece]>([:])
    self.models = models
    let faults = faults
    let held = try await repository.find(Criteria()).value
    models.withLock { $0 = Dictionary(uniqueKeysWithValues: held.map { ($0.id, $0) }) }
    let observation = repository.observeChanges { change in
      models.withLock { models in
        guard case .models(let stored, let updated, let removed) = change.extent else {
          return faults.withLock { $0.append("unknown") }
        }
        let befores = updated.map(\.before) + removed
        let ids = (stored + updated.map(\.after) + removed).map(\.id)
        if Set(ids).count < ids.count { faults.withLock { $0.append("one model twice") } }
        for before in befores where models[before.id] != before {
          faults.withLock { $0.append("\(before) was \(models[before.id] as Piece?)") }
        }
        for model in removed { models[model.id] = nil }
        for model in stored where models[model.id] != nil {
          faults.withLock { $0.append("\(model) was there") }
        }
        for model in stored + updated.map(\.after) { models[model.id] = model }
      }
    }
    self.observation.withLock { $0 = observation }
  }

  func check(_ name: String) async throws {
    let held = try await repository.find(Criteria()).value
    let told = models.withLock { $0.values.sorted { $0.id < $1.id } }
    #expect(told == held, "after \(name)")
    #expect(faults.withLock { $0 } == [], "after \(name)")
  }
}
