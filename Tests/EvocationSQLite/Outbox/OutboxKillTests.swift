#if os(Linux)
  @testable import SQLiteSupport
  import Evocation
  import EvocationSQLite
  import EvocationTesting
  import Fixtures
  import Foundation
  import TestSupport
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(30))) struct OutboxKillTests {
    @Test
    func `Each write reaches the service once and in order, wherever its process is killed`()
      async throws
    {
      let run = try KillRun("kill a sender")
      let rounds = Child.killRounds("kill a sender", 34)
      // Each boundary in turn, and as often any moment as three of them.
      let plan = Boundary.allCases + [nil, nil, nil]
      for round in 0..<rounds {
        try await run.kill(at: plan[round % plan.count], round)
        try await run.check("round \(round)")
        if round % 10 == 9 || round == rounds - 1 { try await run.drain("round \(round)") }
      }
      run.printTotals()
    }

    @Test
    func `Of two processes one sends, and when it is killed the other does within the lease`()
      async throws
    {
      let run = try KillRun("kill one of two senders")
      for round in 0..<Child.killRounds("kill one of two senders", 3) {
        try await run.killTwo(round, lease: 500)
        try await run.check("round \(round)")
        try await run.drain("round \(round)")
      }
      run.printTotals()
    }
  }

  /// A file, a service, and the processes that write to one and send to the other until they are killed.
  final class KillRun {
    private let name: String
    private let folder: TemporaryFolder
    private var random: SeededGenerator
    private let service: KillService
    private var said = SaidWrites()
    private var kills: [String: Int] = [:]
    /// How long nobody sent after who did was killed.
    private var reliefs: [Duration] = []
    private var path: String { folder.path() }

    init(_ name: String) throws {
      self.name = name
      folder = try TemporaryFolder()
      random = Trials.random(name)
      service = KillService(SeededGenerator(seed: random.next()))
    }

    /// Has one process write and send, and kills it at a boundary, or at any moment.
    func kill(at boundary: Boundary?, _ round: Int) async throws {
      let client = "\(round)"
      let door = try KillDoor(service, client)
      let passage = boundary.map { random.count(1...$0.passages) } ?? 0
      let stop = boundary.flatMap { $0.isService ? nil : SendingTask.Stop($0, passage: passage) }
      let task = SendingTask(
        port: door.port, seed: random.next(), ids: 1...24, firstNumber: said.last + 1, stop: stop)
      let child = try Child.send(task, path, by: "send")
      var text = ""
      var isReached = true
      switch boundary {
      case let boundary? where boundary.isService:
        let wasKilled = Lock(false)
        service.set(
          KillService.Trap(boundary: boundary, passage: passage) { _ in
            child.kill()
            wasKilled.withLock { $0 = true }
          })
        text = await child.text
        await door.closed()
        isReached = wasKilled.withLock { $0 }
      case let boundary?:
        let line = "at \(boundary.rawValue)\n"
        text = await child.text { $0.contains(line) }
        isReached = text.contains(line)
      case nil:
        let lines = random.count(0...80)
        text = await child.text { $0.utf8.count(where: { $0 == 0x0A }) >= lines }
        isReached = text.utf8.count(where: { $0 == 0x0A }) >= lines
      }
      child.kill()
      text += await child.text
      await door.closed()
      service.set(nil)
      said.take(text)
      #expect(isReached, "round \(round), \(boundary?.rawValue ?? ""): \(text.suffix(300))")
      kills[boundary?.rawValue ?? "at any moment", default: 0] += 1
    }

    /// Has two processes write and send, kills the one that sends, and then the one that relieves it.
    ///
    /// A lease lasts so many milliseconds.
    func killTwo(_ round: Int, lease: Int) async throws {
      let names = ["\(round)a", "\(round)b"]
      let doors = try names.map { try KillDoor(service, $0) }
      let children = try zip(names, zip(doors, [1...12, 13...24])).map { name, place in
        // No number is both's: the service tells units by it.
        let first = said.last + (name == names[0] ? 1 : 1_000_001)
        let task = SendingTask(
          port: place.0.port, seed: random.next(), ids: place.1, firstNumber: first, lease: lease)
        return (name, try Child.send(task, path))
      }
      let processes = Dictionary(uniqueKeysWithValues: children)
      let (killed, continuation) = AsyncStream.makeStream(of: String.self)
      let kill: @Sendable (String) -> Void = { client in
        processes[client]?.kill()
        continuation.yield(client)
      }
      func trap() -> KillService.Trap {
        let boundary = random.pick(Boundary.allCases.filter(\.isService))
        return KillService.Trap(boundary: boundary, passage: random.count(1...5), kill: kill)
      }
      service.set(trap())
      let holder = try #require(await killed.first { _ in true })
      let death = ContinuousClock.now
      // What it had sent by then is not to be taken for the other's.
      await doors[names.firstIndex(of: holder) ?? 0].closed()
      service.set(trap())
      let other = try #require(await killed.first { _ in true })
      service.set(nil)
      for (_, child) in children {
        child.kill()
        said.take(await child.text)
      }
      for door in doors { await door.closed() }
      kills["the sender", default: 0] += 1
      kills["who relieved it", default: 0] += 1
      #expect(holder != other)
      guard let arrival = service.state.arrivals[other], arrival > death else { return }
      reliefs.append(death.duration(to: arrival))
      // What a very busy machine needs beside the lease.
      #expect(death.duration(to: arrival) < .milliseconds(lease) + .seconds(60), "round \(round)")
    }

    /// Checks the file, and that nothing is lost, done twice or out of order.
    @discardableResult
    func check(_ round: String) async throws -> [Outbox.Entry<NumberedNote>] {
      let database = try SQLiteDatabase(path: path)
      #expect(try await database.check().isEmpty, "\(round)")
      let repository = try SQLiteRepository<NumberedNote>(database)
      let notes = try await repository.find(Criteria()).value
      let records = try await repository.look(isShort: false) { transaction in
        try transaction.records(after: .min, limit: .max)
      }
      await database.close()
      let entries = records.compactMap(\.entry)
      let found = Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.number) })
      said.settle(by: found)
      let state = service.state
      #expect(found == said.numbers, "\(round)")
      #expect(notes.allSatisfy { $0.isWhole }, "\(round)")
      #expect(entries.count == records.count, "\(round)")
      #expect(state.numbers(with: entries) == found, "\(round)")
      #expect(said.problems == [], "\(round)")
      #expect(state.problems == [], "\(round)")
      return entries
    }

    /// Has a process send all that is left, after which both sides must have the same.
    func drain(_ round: String) async throws {
      let door = try KillDoor(service, round)
      let child = try Child.send(
        SendingTask(port: door.port, seed: 0, ids: 1...24, firstNumber: nil), path)
      let text = await child.text
      child.end()
      await door.closed()
      #expect(text == "sent all but 0\n", "\(round)")
      let before = service.state.notes
      service.carryOutLate()
      #expect(service.state.notes == before, "\(round)")
      #expect(try await check(round).isEmpty, "\(round)")
      #expect(before.mapValues(\.number) == said.numbers, "\(round)")
    }

    func printTotals() {
      let state = service.state
      let kinds = kills.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      print(
        """
        \(name): \(kills.values.reduce(0, +)) kills (\(kinds.joined(separator: ", "))); \
        \(said.answered) writes answered and \(said.doneUnanswered) done before that; \
        \(state.answers.count) requests carried out, \(state.repeated) repeated and known by their \
        keys, \(state.arrivedLate) of the dead that came late, \(state.lost) answers lost; \
        \(state.problems.count) problems
        """)
      guard let longest = reliefs.max() else { return }
      print("\(name): \(reliefs.count) relieved, after \(longest) at most")
    }
  }

  extension Boundary {
    /// By which passage a process is killed at the latest: a transaction has some writes to its log.
    fileprivate var passages: Int {
      switch self {
      case .inCommit, .inClaim, .inAcknowledgement: 60
      case .beforeCommit, .afterCommit, .beforeClaim, .afterClaim, .beforeSending, .inRequest,
        .beforeActing, .afterActing, .inAnswer, .beforeAcknowledgement, .afterAcknowledgement:
        20
      }
    }
  }
#endif
