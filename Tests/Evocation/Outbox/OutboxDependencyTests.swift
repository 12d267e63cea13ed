import Evocation
import EvocationTesting
import Foundation
import TestSupport
import Testing

@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues

struct Skipper: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var name: String
}

struct Boat: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var skipperID: Int
}

struct Sail: Codable, Identifiable, Sendable, Hashable {
  var id: Int
  var boatID: Int?
}

/// Entries that wait for those of other model types.
@Suite(.timeLimit(.minutes(30)))
struct OutboxDependencyTests {
  let clock = ManualClock()
  let skippers = NumberingService<Skipper> { Skipper(id: $1, name: $0.name) }
  let boats = NumberingService<Boat> { Boat(id: $1, skipperID: $0.skipperID) }
  let localSkippers = InMemoryRepository<Skipper>()
  let localBoats = InMemoryRepository<Boat>()

  func evocation(sends: Bool = false) -> Evocation {
    let evocation = Evocation(
      configuration: .init(
        clock: clock, chance: { 0.5 }, outbox: .init(sendsAutomatically: sends)))
    evocation.register(for: Skipper.self).repository(remote: skippers)
      .repository(local: localSkippers).strategy(.offlineFirst)
    evocation.register(for: Boat.self).repository(remote: boats)
      .repository(local: localBoats).strategy(.offlineFirst).sends(
        after: Skipper.self, by: \.skipperID)
    return evocation
  }

  @Test func `an id of the service goes into rows and entries that refer to it, and they follow`()
    async throws
  {
    let evocation = evocation()
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    _ = await evocation.storeOne(Boat(id: -5, skipperID: -1))
    let result = await evocation.outbox.flush()
    #expect(result == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(boats.arrived.withLock { $0 } == ["store \(Boat(id: -5, skipperID: 100))"])
    #expect(try await localSkippers.find(Criteria()).value == [Skipper(id: 100, name: "a")])
    #expect(try await localBoats.find(Criteria()).value == [Boat(id: 100, skipperID: 100)])
  }

  @Test func `what the remote got before a model had its id is not taken for another's change`()
    async throws
  {
    let (evocation, boats) = (evocation(), ScriptedService<Boat>())
    try evocation.proxy(for: Boat.self).repository(remote: boats)
    _ = await evocation.storeOne(Boat(id: 5, skipperID: -1))
    #expect(await evocation.outbox.flush().sent == 1)
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    _ = await evocation.updateOne(Boat(id: 5, skipperID: -1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    #expect(boats.requests.last?.base == Boat(id: 5, skipperID: -1))
    #expect(try await boats.all == [Boat(id: 5, skipperID: 100)])
    #expect(try await localBoats.find(Criteria()).value == [Boat(id: 5, skipperID: 100)])
  }

  @Test
  func `a write that may have arrived is sent again as it was, whatever id its reference got`()
    async throws
  {
    let (evocation, isDown) = (evocation(), Lock(true))
    let boats = ScriptedService<Boat> { _, _ in
      if isDown.withLock({ $0 }) { throw Refused(.transient) }
      return nil
    }
    try evocation.proxy(for: Boat.self).repository(remote: boats)
    _ = await evocation.storeOne(Boat(id: 5, skipperID: -1))
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    #expect(await evocation.outbox.flush().sent == 1)
    isDown.withLock { $0 = false }
    #expect(await evocation.outbox.flush().left == 0)
    let sent = boats.requests
    #expect(sent.filter { $0.key == sent.first?.key }.allSatisfy { $0.model == sent[0].model })
    #expect(try await boats.all == [Boat(id: 5, skipperID: 100)])
  }

  @Test func `a write that refers to a renamed model no longer is followed by none`() async throws {
    let evocation = evocation()
    let boats = ScriptedService<Boat> { request, _ in
      if request.number == 1 { throw Refused(.transient) }
      return nil
    }
    try evocation.proxy(for: Boat.self).repository(remote: boats)
    _ = await evocation.storeOrUpdate([Boat(id: 5, skipperID: -1)])
    _ = await evocation.storeOrUpdate([Boat(id: 5, skipperID: 1)])
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(boats.requests.map(\.model) == [Boat(id: 5, skipperID: 1), Boat(id: 5, skipperID: 1)])
  }

  @Test func `a model is removed after the write that a conflict showed to refer to it`()
    async throws
  {
    let (evocation, gate) = (evocation(sends: true), Gate())
    let (one, present) = (Skipper(id: 1, name: "a"), Boat(id: 5, skipperID: 1))
    let arrived = Lock<[String]>([])
    let skippers = ScriptedService([one]) { request, _ in
      if request.number == 1 { try await gate.pass() }
      arrived.withLock { $0.append("\(request.kind) skipper") }
      return nil
    }
    let boats = ScriptedService([present]) { request, _ in
      if request.number == 2 { throw Refused(.conflict, current: present) }
      if request.number == 3 { throw Refused(.transient) }
      arrived.withLock { $0.append("\(request.kind) boat") }
      return nil
    }
    try evocation.proxy(for: Skipper.self).repository(remote: skippers)
    try evocation.proxy(for: Boat.self).repository(remote: boats).conflicts { _ in .mine }
    _ = try await localSkippers.store([one, Skipper(id: 2, name: "b")])
    // From then on, the service gets several writes at once.
    _ = await evocation.storeOne(Boat(id: 9, skipperID: 2))
    await evocation.outbox.wait { $0.pending == 0 }
    _ = await evocation.updateOne(Skipper(id: 1, name: "b"))
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Skipper(id: 1, name: "c"))
    _ = await evocation.storeOne(Boat(id: 5, skipperID: 2))
    _ = await evocation.removeOne(one)
    while boats.requests.count < 3 { await Task.yield() }
    gate.open()
    await evocation.outbox.wait { $0.pending <= 2 }
    _ = try await retryDate(evocation)
    clock.advance(by: .seconds(3_600))
    await evocation.outbox.wait { $0.pending == 0 }
    let expected = ["store boat", "update skipper", "storeOrUpdate boat", "remove skipper"]
    #expect(arrived.withLock { $0 } == expected)
  }

  /// Waits until the first write of a boat has failed, and returns when it is sent again.
  private func retryDate(_ evocation: Evocation) async throws -> Date {
    while true {
      let first = try await evocation.outbox.entries(of: Boat.self).first
      if case .waiting(let until, _)? = first?.state { return until }
      await Task.yield()
    }
  }

  @Test func `a model is removed after the write behind one that was given up`() async throws {
    let (evocation, gate, boatGate) = (evocation(sends: true), Gate(), Gate())
    let one = Skipper(id: 1, name: "a")
    let arrived = Lock<[String]>([])
    let skippers = ScriptedService([one]) { request, _ in
      if request.number == 1 { try await gate.pass() }
      arrived.withLock { $0.append("\(request.kind) skipper") }
      return nil
    }
    let boats = ScriptedService([Boat(id: 5, skipperID: 2)]) { request, models in
      if request.number == 2 {
        // Another app has it refer to the model that is to be removed.
        _ = try await models.update([Boat(id: 5, skipperID: 1)])
        throw Refused(.transient)
      }
      if request.number == 3 { try await boatGate.pass() }
      arrived.withLock { $0.append("\(request.kind) boat") }
      return nil
    }
    try evocation.proxy(for: Skipper.self).repository(remote: skippers)
    try evocation.proxy(for: Boat.self).repository(remote: boats).conflicts { _ in .theirs }
    _ = try await localSkippers.store([one])
    _ = try await localBoats.store([Boat(id: 5, skipperID: 2)])
    // From then on, the service gets several writes at once.
    _ = await evocation.storeOne(Boat(id: 9, skipperID: 2))
    await evocation.outbox.wait { $0.pending == 0 }
    _ = await evocation.updateOne(Skipper(id: 1, name: "b"))
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Boat(id: 5, skipperID: 3))
    while boats.requests.count < 2 { await Task.yield() }
    _ = await evocation.updateOne(Boat(id: 5, skipperID: 4))
    _ = await evocation.removeOne(one)
    // The requests under way are given up after a minute.
    let moment = try await retryDate(evocation)
    clock.advance(by: .seconds(moment.timeIntervalSince(clock.date)))
    #expect(await boatGate.arrivals(1))
    gate.open()
    await evocation.outbox.wait { $0.pending <= 2 }
    // The removal could begin now.
    for _ in 0..<100 { await Task.yield() }
    boatGate.open()
    await evocation.outbox.wait { $0.pending == 0 }
    let expected = ["store boat", "update skipper", "update boat", "remove skipper"]
    #expect(arrived.withLock { $0 } == expected)
  }

  @Test func `a removal comes after what was written since the write that it replaces`()
    async throws
  {
    let (evocation, one, two) = (
      evocation(), Skipper(id: 1, name: "a"), Skipper(id: 2, name: "b")
    )
    _ = try await localSkippers.store([one, two])
    for skipper in [one, two] {
      _ = await evocation.updateOne(Skipper(id: skipper.id, name: "c"))
    }
    _ = await evocation.removeOne(one)
    let entries = try await evocation.outbox.entries(of: Skipper.self)
    #expect(entries.map(\.kind) == [.update, .remove])
    #expect(entries.map(\.model.id) == [2, 1])
  }

  @Test func `a removal stays before that of what its model refers to`() async throws {
    let (evocation, arrived) = (evocation(), Lock<[String]>([]))
    let (one, boat) = (Skipper(id: 1, name: "a"), Boat(id: 5, skipperID: 1))
    let skippers = ScriptedService([one]) { request, _ in
      arrived.withLock { $0.append("\(request.kind) skipper") }
      return nil
    }
    let boats = ScriptedService([boat]) { request, _ in
      arrived.withLock { $0.append("\(request.kind) boat") }
      return nil
    }
    try evocation.proxy(for: Skipper.self).repository(remote: skippers)
    try evocation.proxy(for: Boat.self).repository(remote: boats)
    _ = try await localSkippers.store([one])
    _ = try await localBoats.store([boat])
    _ = await evocation.updateOne(Boat(id: 5, skipperID: 2))
    _ = await evocation.removeOne(one)
    _ = await evocation.removeOne(Boat(id: 5, skipperID: 2))
    #expect(await evocation.outbox.flush().left == 0)
    #expect(arrived.withLock { $0 } == ["remove boat", "remove skipper"])
  }

  @Test func `a model in place of a write refers to what was renamed by its present id`()
    async throws
  {
    let evocation = evocation()
    let boats = ScriptedService([Boat(id: 6, skipperID: 1)]) { request, _ in
      guard request.model == Boat(id: 6, skipperID: 2) else { return nil }
      throw Refused(.conflict, current: Boat(id: 6, skipperID: 1))
    }
    try evocation.proxy(for: Boat.self).repository(remote: boats)
      .conflicts { _ in .merged(Boat(id: 6, skipperID: -1)) }
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    #expect(await evocation.outbox.flush().left == 0)
    _ = await evocation.storeOne(Boat(id: 5, skipperID: 1))
    _ = await evocation.storeOne(Boat(id: 6, skipperID: 2))
    let entry = try await evocation.outbox.entries(of: Boat.self)[0]
    try await evocation.outbox.resend(entry, as: Boat(id: 5, skipperID: -1))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 2, left: 0, parked: 0))
    let expected = [Boat(id: 5, skipperID: 100), Boat(id: 6, skipperID: 100)]
    #expect(try await boats.all.sorted { $0.id < $1.id } == expected)
    #expect(try await localBoats.find(Criteria()).value.sorted { $0.id < $1.id } == expected)
  }

  @Test func `a removal in the place of an earlier write waits for what refers to its later id`()
    async throws
  {
    let (evocation, boat) = (evocation(), Boat(id: 5, skipperID: 100))
    _ = try await localBoats.store([boat])
    let boats = ScriptedService([boat]) { _, _ in throw Refused(.conflict, current: boat) }
    let skippers = ScriptedService<Skipper> { request, _ in
      guard request.kind == .store else { return nil }
      if request.number == 1 { throw Refused(.transient) }
      return Skipper(id: 100, name: "a")
    }
    try evocation.proxy(for: Skipper.self).repository(remote: skippers)
    try evocation.proxy(for: Boat.self).repository(remote: boats).conflicts { _ in .park }
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    #expect(await evocation.outbox.flush().left == 1)
    _ = await evocation.updateOne(Skipper(id: -1, name: "b"))
    _ = await evocation.removeOne(boat)
    _ = await evocation.removeOne(Skipper(id: -1, name: "b"))
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 1, left: 1, parked: 1))
    #expect(skippers.requests.map(\.kind) == [.store, .store])
  }

  @Test func `what was written to an instance while it got its id goes first`()
    async throws
  {
    let evocation = evocation(sends: true)
    let gate = Gate()
    skippers.gate.withLock { $0 = gate }
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    _ = await evocation.storeOne(Boat(id: -5, skipperID: -1))
    #expect(await gate.arrivals(1))
    _ = await evocation.updateOne(Skipper(id: -1, name: "b"))
    gate.letOneThrough()
    #expect(await gate.arrivals(2))
    #expect(try await localSkippers.find(Criteria()).value == [Skipper(id: 100, name: "b")])
    gate.open()
    await evocation.outbox.wait { $0.pending == 0 }
    #expect(skippers.arrived.withLock { $0.last } == "update \(Skipper(id: 100, name: "b"))")
    #expect(boats.arrived.withLock { $0 } == ["store \(Boat(id: -5, skipperID: 100))"])
  }

  @Test(arguments: [false, true], [false, true])
  func `what a model referred to is removed after the write that has it refer to another`(
    isChanged: Bool, isWrittenBefore: Bool
  ) async throws {
    let (evocation, gate, arrived) = (evocation(), Gate(), Lock<[String]>([]))
    let one = Skipper(id: 1, name: "a")
    let boats = ScriptedService<Boat> { request, _ in
      try await gate.pass()
      arrived.withLock { $0.append("\(request.kind) boat") }
      return nil
    }
    let skippers = ScriptedService([one]) { request, _ in
      arrived.withLock { $0.append("\(request.kind) skipper") }
      return nil
    }
    try evocation.proxy(for: Boat.self).repository(remote: boats)
    try evocation.proxy(for: Skipper.self).repository(remote: skippers)
    _ = try await localSkippers.store([one, Skipper(id: 2, name: "b")])
    _ = await evocation.storeOne(Boat(id: 5, skipperID: 1))
    let flush = Task { await evocation.outbox.flush() }
    #expect(await gate.arrivals(1))
    if isChanged { _ = await evocation.updateOne(Skipper(id: 1, name: "c")) }
    if isWrittenBefore { _ = await evocation.updateOne(Boat(id: 5, skipperID: 1)) }
    _ = await evocation.updateOne(Boat(id: 5, skipperID: 2))
    _ = await evocation.removeOne(one)
    gate.letOneThrough()
    #expect(await gate.arrivals(2))
    for _ in 0..<1_000 { await Task.yield() }
    gate.open()
    #expect(await flush.value.left == 0)
    let changes = isChanged ? ["update boat", "update skipper"] : ["update boat"]
    #expect(arrived.withLock { $0.dropLast().sorted() } == ["store boat"] + changes)
    #expect(arrived.withLock { $0.last } == "remove skipper")
  }

  @Test func `what was written in place of an entry that was next waits for what it refers to`()
    async throws
  {
    let evocation = evocation()
    let (boatGate, skipperGate) = (Gate(), Gate())
    boats.gate.withLock { $0 = boatGate }
    skippers.gate.withLock { $0 = skipperGate }
    for id in 1...6 { _ = await evocation.storeOne(Boat(id: id, skipperID: 9)) }
    let flush = Task { await evocation.outbox.flush() }
    // One is sent first, and the others are next.
    #expect(await boatGate.arrivals(1))
    for entry in try await evocation.outbox.entries(of: Boat.self) where entry.model.id != 1 {
      try await evocation.outbox.discard(entry)
    }
    _ = await evocation.storeOne(Skipper(id: -1, name: "a"))
    for id in 2...6 { _ = await evocation.storeOne(Boat(id: id, skipperID: -1)) }
    #expect(await skipperGate.arrivals(1))
    boatGate.open()
    await evocation.outbox.wait { $0.pending <= 6 }
    skipperGate.open()
    #expect(await flush.value.left == 0)
    let arrived = boats.arrived.withLock { $0 }
    #expect(arrived.count == 6 && !arrived.contains { $0.contains("skipperID: -1") })
  }

  @Test func `many that wait for one parked instance hold up no other, and cost no work`()
    async throws
  {
    let evocation = evocation()
    try await evocation.outbox.testing.initState(of: Skipper.self) {
      $0.parked(Skipper(id: 1, name: "a"), reason: "no")
    }
    for id in 1...50 { _ = await evocation.storeOne(Boat(id: id, skipperID: 1)) }
    _ = await evocation.storeOne(Boat(id: 51, skipperID: 2))
    let result = await evocation.outbox.flush()
    #expect(result == Outbox.FlushResult(sent: 1, left: 50, parked: 1))
    #expect(boats.arrived.withLock { $0 } == ["store \(Boat(id: 51, skipperID: 2))"])
    let skipper = try await evocation.outbox.entries(of: Skipper.self)[0]
    try await evocation.outbox.discard(skipper)
    #expect(await evocation.outbox.flush().left == 0)
    #expect(boats.arrived.withLock { $0.count } == 51)
  }

  @Test func `types that wait for each other are named at once, and nothing is queued`()
    async throws
  {
    let evocation = evocation()
    try evocation.proxy(for: Skipper.self).sends(after: Boat.self, by: \.id)
    let error = EvocationError.circularDependency(models: ["Skipper", "Boat"])
    #expect(throws: error) { try evocation.proxy(for: Skipper.self).validate() }
    #expect(throws: error) { try evocation.proxy(for: Boat.self).validate() }
    let result = await evocation.storeOne(Boat(id: 1, skipperID: 1))
    #expect(
      result.error.map { "\($0)" }
        == "The writes of Skipper and Boat would wait for each other forever, because each "
        + "sends(after:) another; remove one of these calls of sends(after:).")
    #expect(try await localBoats.find(Criteria()).value == [])
  }

  @Test func `instances that refer to each other are sent in the order in which they were written`()
    async throws
  {
    let local = InMemoryRepository<Sail>()
    let sails = NumberingService<Sail> { Sail(id: $1, boatID: $0.boatID) }
    let evocation = Evocation(
      configuration: .init(clock: clock, outbox: .init(sendsAutomatically: false)))
    evocation.register(for: Sail.self).repository(remote: sails).repository(local: local)
      .strategy(.offlineFirst).sends(after: Sail.self, by: \.boatID)
    for (id, other) in [(-1, -2), (-2, -1), (-3, -1), (-4, nil)] {
      _ = await evocation.storeOne(Sail(id: id, boatID: other))
    }
    #expect(await evocation.outbox.flush() == Outbox.FlushResult(sent: 4, left: 0, parked: 0))
    let arrived = sails.arrived.withLock { $0 }
    #expect(arrived.first == "store \(Sail(id: -1, boatID: -2))")
    // Those that waited for it know it by the id that the service gave it.
    #expect(arrived.filter { $0.contains("boatID: Optional(100)") }.count == 2)
  }
}
