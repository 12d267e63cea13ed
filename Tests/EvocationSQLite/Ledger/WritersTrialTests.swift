import Evocation
import EvocationSQLite
import EvocationTesting
import TestSupport
import TestTraits
import Testing

@testable import SQLiteSupport

/// Writes and refreshes by chance, against a naive model of what must be there in the end.
@Suite(.patient) struct WritersTrialTests {
  /// A fetch that is held, and what was answered, and written or fetched later, since.
  private struct Held {
    let number: Int
    let gate: Gate
    let answer: [Int: Thing]
    let refresh: Task<RefreshResult, any Error>
    var written: Set<Int> = []
  }

  private typealias Cache = CacheRepository<ProxyCacheDataSource<Thing>>

  @Test(arguments: Meanwhile.Local.allCases)
  func `Local is what was fetched with what was written since on top, and each refresh succeeds`(
    _ local: Meanwhile.Local
  ) async throws {
    var random = Trials.random("writes and refreshes, \(local)")
    let place = try Meanwhile(local, write: .localOnly)
    let caches = (0..<3).map { kind in
      let cache = place.cache()
      cache.requirements = ["kind": .init(kind)]
      return cache
    }
    var model: [Int: Thing] = [:]
    var held: [Int: Held] = [:]
    var version = 1
    var refreshes = 0
    for _ in 0..<300 {
      version += 1
      let kind = random.count(0...2)
      if random.chance(70) {
        let things = (0..<random.count(1...4)).map { _ in
          Thing(id: random.count(0...11), version: version, kind: random.count(0...2))
        }
        try await write(things, random.chance(30), place, &model)
        for kind in held.keys { held[kind]?.written.formUnion(things.map(\.id)) }
      } else if let fetch = held.removeValue(forKey: kind) {
        fetch.gate.open()
        #expect(try await fetch.refresh.value == .successful)
        refreshes += 1
        let saved = take(fetch, kind, &model)
        for (kind, other) in held where other.number < fetch.number {
          held[kind]?.written.formUnion(saved)
        }
      } else {
        try await place.service.have(
          (0...11).filter { _ in random.chance(50) }.map {
            Thing(id: $0, version: version, kind: random.count(0...2))
          })
        held[kind] = try await begin(caches[kind], kind, place, version)
      }
      #expect(try await place.held() == model.values.sorted { $0.id < $1.id })
    }
    for fetch in held.values {
      fetch.gate.open()
      #expect(try await fetch.refresh.value == .successful)
    }
    #expect(place.service.findCount == refreshes + held.count)
  }

  private func write(
    _ things: [Thing], _ isRemoval: Bool, _ place: Meanwhile, _ model: inout [Int: Thing]
  ) async throws {
    if isRemoval {
      #expect(await place.evocation.remove(things).error == nil)
      for thing in things { model[thing.id] = nil }
    } else {
      #expect(await place.evocation.storeOrUpdate(things).error == nil)
      for thing in things { model[thing.id] = thing }
    }
  }

  private func begin(
    _ cache: Cache, _ kind: Int, _ place: Meanwhile, _ number: Int
  ) async throws -> Held {
    let gate = Gate()
    place.service.findGate = gate
    let answer = try await place.service.things.find(["kind": .init(kind)]).value
    let refresh = Task { try await cache.refresh(force: true) }
    await gate.arrivals(1)
    return Held(
      number: number, gate: gate,
      answer: Dictionary(uniqueKeysWithValues: answer.map { ($0.id, $0) }),
      refresh: refresh)
  }

  /// Takes over what a fetch brought, and gives the ids that it changed.
  private func take(_ fetch: Held, _ kind: Int, _ model: inout [Int: Thing]) -> Set<Int> {
    var saved: Set<Int> = []
    for id in 0...11 where !fetch.written.contains(id) {
      if let thing = fetch.answer[id] {
        model[id] = thing
        saved.insert(id)
      } else if model[id]?.kind == kind {
        model[id] = nil
        saved.insert(id)
      }
    }
    return saved
  }

  @Test(arguments: Meanwhile.Local.allCases)
  func `Four busy writers keep no refresh from succeeding, and the two places end alike`(
    _ local: Meanwhile.Local
  ) async throws {
    let place = try Meanwhile(local, write: .init(target: .remote))
    let (cache, list) = (place.cache(), place.list(pageSize: 50, refreshes: .allPages))
    let results = await withTaskGroup(of: [RefreshResult?].self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<100 {
            let thing = Thing(id: writer + 4 * (number % 5), version: number)
            let result =
              number % 7 == 6
              ? await place.evocation.removeOne(thing).error
              : await place.evocation.storeOrUpdate([thing]).error
            #expect(result == nil)
          }
          return []
        }
      }
      group.addTask { await (0..<40).asyncMap { _ in try? await cache.refresh(force: true) } }
      group.addTask { await (0..<40).asyncMap { _ in try? await list.refresh(force: true) } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(results.count == 80)
    #expect(results.allSatisfy { $0 == .successful })
    #expect(place.service.findCount == 80)
    await place.settle()
    #expect(try await place.held() == place.service.things.find(Criteria()).value)
    #expect(try await cache.value(from: .cache) == place.held())
  }
}

extension Sequence {
  fileprivate func asyncMap<Value>(_ transform: (Element) async -> Value) async -> [Value] {
    var values: [Value] = []
    for element in self { values.append(await transform(element)) }
    return values
  }
}
