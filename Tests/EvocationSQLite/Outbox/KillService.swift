#if os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationTesting
  import Foundation
  import TestSupport

  /// A service of notes that outlives its clients, and has them killed where a test says.
  ///
  /// It carries out each `Idempotency-Key` once, and notes what must not happen: another write by the
  /// same key, a write that is older than the one before on its note, one that does not fit what is
  /// there, two at once on one note, and those of a unit in another order.
  final class KillService: Sendable {
    struct Request: Sendable {
      let method: String
      let id: Int?
      let key: String
      let note: NumberedNote?
    }

    struct Answer: Sendable {
      let status: Int
      var note: NumberedNote?
      /// Whether it is a list, of the note or of nothing.
      var isList = false
    }

    /// What a client is to be sent.
    enum Reply {
      case whole(Answer)
      /// A half; then the client is killed.
      case half(Answer, then: @Sendable () -> Void)
      /// Nothing: the connection is closed.
      case nothing
    }

    /// What has a client killed that comes to a boundary.
    struct Trap: Sendable {
      let boundary: Boundary
      var passage: Int
      /// Kills the client of this name.
      let kill: @Sendable (String) -> Void
    }

    struct State: Sendable {
      var notes: [Int: NumberedNote] = [:]
      var answers: [String: (request: Request, answer: Answer)] = [:]
      /// How many requests were told the answer to an earlier one.
      var repeated = 0
      /// How many answers were lost on their way to a client that lives.
      var lost = 0
      /// Requests of clients that are dead, which have not arrived yet.
      var late: [Request] = []
      var arrivedLate = 0
      var problems: [String] = []
      /// When each client first sent something.
      var arrivals: [String: ContinuousClock.Instant] = [:]
      fileprivate var newest: [Int: Int] = [:]
      /// The last note of each unit: a write with an even number, which is on its notes in their order.
      fileprivate var units: [Int: Int] = [:]
      fileprivate var current: [Int: [String]] = [:]
      fileprivate var trap: Trap?
      fileprivate var random: SeededGenerator
    }

    private let locked: Lock<State>

    init(_ random: SeededGenerator) { locked = Lock(State(random: random)) }

    var state: State { locked.withLock { $0 } }

    /// Has a client killed; nil for none from now on.
    func set(_ trap: Trap?) { locked.withLock { $0.trap = trap } }

    /// Lets what is late arrive.
    func carryOutLate() {
      locked.withLock { state in
        while !state.late.isEmpty { state.takeLate() }
      }
    }

    /// Kills a client if it is to be, and says whether it was.
    func stops(at boundary: Boundary, _ client: String) -> Bool {
      guard let kill = reach(boundary) else { return false }
      kill(client)
      return true
    }

    func reply(to request: Request, of client: String) -> Reply {
      // Whoever asks what is there, before it is changed, changes nothing.
      if request.method == "GET" {
        let note = locked.withLock { state in request.id.flatMap { state.notes[$0] } }
        return .whole(Answer(status: 200, note: note, isList: true))
      }
      locked.withLock { $0.begin(request, client) }
      defer { locked.withLock { $0.end(request) } }
      if stops(at: .beforeActing, client) {
        locked.withLock { $0.receiveOfDead(request) }
        return .nothing
      }
      let (answer, isLost) = locked.withLock { state in
        let answer = state.take(request)
        let isLost = state.trap == nil && state.random.chance(4)
        if isLost { state.lost += 1 }
        return (answer, isLost)
      }
      if isLost || stops(at: .afterActing, client) { return .nothing }
      guard let kill = reach(.inAnswer) else { return .whole(answer) }
      return .half(answer, then: { kill(client) })
    }

    private func reach(_ boundary: Boundary) -> (@Sendable (String) -> Void)? {
      locked.withLock { state in
        guard state.trap?.boundary == boundary else { return nil }
        state.trap?.passage -= 1
        return state.trap?.passage == 0 ? state.trap?.kill : nil
      }
    }
  }

  extension KillService.State {
    fileprivate mutating func begin(_ request: KillService.Request, _ client: String) {
      if arrivals[client] == nil { arrivals[client] = .now }
      guard let id = request.id else { return problems.append("no note: \(request)") }
      if current[id, default: []].contains(where: { $0 != request.key }) {
        problems.append("two at once on \(id)")
      }
      current[id, default: []].append(request.key)
    }

    fileprivate mutating func end(_ request: KillService.Request) {
      guard let id = request.id, let index = current[id]?.firstIndex(of: request.key) else {
        return
      }
      current[id]?.remove(at: index)
    }

    /// Takes a request whose client is dead by now; it may arrive, or be lost, or arrive later.
    fileprivate mutating func receiveOfDead(_ request: KillService.Request) {
      switch random.count(0...3) {
      case 0: break
      case 1: _ = take(request)
      default: late.append(request)
      }
    }

    fileprivate mutating func take(_ request: KillService.Request) -> KillService.Answer {
      if !late.isEmpty, random.chance(10) { takeLate() }
      if let former = answers[request.key] {
        repeated += 1
        if former.request.note != request.note || former.request.method != request.method {
          problems.append("another write by the key of \(former.request): \(request)")
        }
        return former.answer
      }
      let answer = perform(request)
      answers[request.key] = (request, answer)
      return answer
    }

    fileprivate mutating func takeLate() {
      arrivedLate += 1
      _ = take(late.removeFirst())
    }

    private mutating func perform(_ request: KillService.Request) -> KillService.Answer {
      guard let id = request.id else { return .init(status: 400) }
      if request.method == "DELETE" {
        // What was stored and removed before it was sent may never have been here.
        return .init(status: notes.removeValue(forKey: id) == nil ? 404 : 204)
      }
      guard let note = request.note, note.isWhole, note.id == id else {
        problems.append("not a whole note: \(request)")
        return .init(status: 400)
      }
      if let newest = newest[id], note.number <= newest {
        problems.append("write \(note.number) on \(id) after \(newest)")
      }
      newest[id] = note.number
      if note.number.isMultiple(of: 2) {
        if let before = units.updateValue(id, forKey: note.number), before > id {
          problems.append("write \(note.number) on \(id) after \(before), which is behind it")
        }
      }
      if (request.method == "POST" && notes[id] != nil)
        || (request.method == "PATCH" && notes[id] == nil)
      {
        problems.append("\(request.method) of write \(note.number) on \(id)")
        return .init(status: request.method == "POST" ? 409 : 404)
      }
      notes[id] = note
      return .init(status: 200, note: note)
    }
  }

  extension KillService.State {
    /// The write of each note that is there once these entries are sent too.
    func numbers(with entries: [Outbox.Entry<NumberedNote>]) -> [Int: Int] {
      var numbers = notes.mapValues(\.number)
      for entry in entries where answers[entry.id] == nil {
        numbers[entry.model.id] = entry.kind == .remove ? nil : entry.model.number
      }
      return numbers
    }
  }
#endif
