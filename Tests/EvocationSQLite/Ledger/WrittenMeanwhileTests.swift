import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

/// What the app writes while something is fetched stays, and what was fetched is saved all the same.
@Suite(.patient) struct WrittenMeanwhileTests {
  /// Who fetches.
  enum Reader: String, CaseIterable, Sendable {
    case call, cache, list, wholeList
  }

  @Test(arguments: Meanwhile.Local.allCases, Reader.allCases)
  func `What the app writes around a fetch stays, and the rest of what was fetched is saved`(
    _ local: Meanwhile.Local, _ reader: Reader
  ) async throws {
    for write in AppWrite.allCases {
      for moment in WriteMoment.allCases {
        let comment: Comment = "\(local) \(reader) \(write) \(moment)"
        let place = try Meanwhile(local)
        let shown = try await play(place, reader, write, moment, comment)
        #expect(try await place.held() == write.result, comment)
        let expected = [.list, .wholeList].contains(reader) ? write.listed : write.result
        #expect(shown == expected, comment)
      }
    }
  }

  /// Fetches once, and again with a write around it; gives what is shown then.
  private func play(
    _ place: Meanwhile, _ reader: Reader, _ write: AppWrite, _ moment: WriteMoment,
    _ comment: Comment
  ) async throws -> [Thing] {
    let (cache, list) = (
      place.cache(),
      place.list(
        pageSize: reader == .wholeList ? 2 : 5,
        refreshes: reader == .wholeList ? .allPages : .firstPage)
    )
    let fetch: @Sendable () async throws -> Void = {
      try await self.fetch(place, reader, cache, list, comment)
    }
    try await place.service.have([2, 3, 9].map { Thing(id: $0, version: 0) })
    try await fetch()
    if reader == .wholeList { #expect(await list.goToNextPage() == .successful, comment) }
    try await place.service.have([1, 2, 3].map { Thing(id: $0) })
    let before = place.service.findCount
    try await play(place, write, moment, fetch, passing: reader == .wholeList ? 1 : 0, comment)
    await place.settle()
    let pages = reader == .wholeList ? 2 : 1
    #expect(place.service.findCount == before + pages, comment)
    return switch reader {
    case .call: try await place.held()
    case .cache: try await cache.value(from: .cache)
    case .list, .wholeList: try await list.value(from: .cache)
    }
  }

  private func fetch(
    _ place: Meanwhile, _ reader: Reader,
    _ cache: CacheRepository<ProxyCacheDataSource<Thing>>,
    _ list: PagingCacheRepository<ProxyPagingCacheDataSource<Thing>>, _ comment: Comment
  ) async throws {
    let result: RefreshResult
    switch reader {
    case .call:
      #expect(await place.evocation.find(model: Thing.self).error == nil, comment)
      result = .successful
    case .cache: result = try await cache.refresh(force: true)
    case .list, .wholeList: result = try await list.refresh(force: true)
    }
    #expect(result == .successful, comment)
  }

  private func play(
    _ place: Meanwhile, _ write: AppWrite, _ moment: WriteMoment,
    _ fetch: @escaping @Sendable () async throws -> Void, passing count: Int, _ comment: Comment
  ) async throws {
    let (findGate, writeGate) = (Gate(), Gate())
    switch moment {
    case .after:
      try await fetch()
      #expect(await write.carryOut(place.evocation) == nil, comment)
    case .during:
      place.service.findGate = findGate
      async let fetched: Void = fetch()
      for number in 0..<count {
        await findGate.arrivals(number + 1)
        findGate.letOneThrough()
      }
      await findGate.arrivals(count + 1)
      #expect(await write.carryOut(place.evocation) == nil, comment)
      findGate.open()
      try await fetched
    case .onItsWayBefore:
      place.service.writeGate = writeGate
      place.service.findGate = findGate
      async let written = write.carryOut(place.evocation)
      await writeGate.arrivals(1)
      async let fetched: Void = fetch()
      await findGate.arrivals(1)
      findGate.open()
      // Each page is as it was before the service had the write.
      await findGate.arrivals(count + 1)
      writeGate.open()
      #expect(await written == nil, comment)
      try await fetched
    }
  }

  @Test(arguments: Meanwhile.Local.allCases)
  func `A fetch during a thousand writes succeeds the first time`(
    _ local: Meanwhile.Local
  ) async throws {
    let place = try Meanwhile(local, write: .localOnly)
    let (cache, gate) = (place.cache(), Gate())
    try await place.service.have([Thing(id: 1), Thing(id: 2)])
    place.service.findGate = gate
    async let refreshed = cache.refresh(force: true)
    await gate.arrivals(1)
    for number in 0..<1_000 {
      #expect(await place.evocation.storeOne(Thing(id: 100 + number)).error == nil)
    }
    gate.open()
    #expect(try await refreshed == .successful)
    #expect(place.service.findCount == 1)
    #expect(try await place.held().map(\.id) == [1, 2] + Array(100..<1_100))
  }

  @Test(arguments: Meanwhile.Local.allCases, Reader.allCases)
  func `What the remote alone wrote is saved as it answered, and what it removed is not`(
    _ local: Meanwhile.Local, _ reader: Reader
  ) async throws {
    for isRemoval in [false, true] {
      let (place, gate) = (try Meanwhile(local, write: .remoteOnly), Gate())
      let list = place.list(
        pageSize: 2, refreshes: reader == .wholeList ? .allPages : .firstPage)
      let cache = place.cache()
      try await place.service.have([1, 2, 3].map { Thing(id: $0, version: 0) })
      if reader == .wholeList {
        #expect(try await list.refresh() == .successful)
        #expect(await list.goToNextPage() == .successful)
      }
      place.service.findGate = gate
      let fetching = Task { try await fetch(place, reader, cache, list, "\(local) \(reader)") }
      await gate.arrivals(1)
      let evocation = place.evocation
      if isRemoval {
        #expect(await evocation.removeOne(Thing(id: 2)).error == nil)
      } else {
        #expect(await evocation.updateOne(Thing(id: 2, version: 9)).error == nil)
      }
      gate.open()
      try await fetching.value
      let held = try await place.held().filter { $0.id == 2 }
      #expect(held == (isRemoval ? [] : [Thing(id: 2, version: 9)]), "\(local) \(reader)")
    }
  }

  @Test(arguments: [Meanwhile.Local.memory, .sqlite], [Reader.call, .cache, .list])
  func `Ten thousand models that are written during a fetch of as many stay`(
    _ local: Meanwhile.Local, _ reader: Reader
  ) async throws {
    let (place, gate) = (try Meanwhile(local, write: .localOnly), Gate())
    let (cache, list) = (place.cache(), place.list(pageSize: 10_000))
    try await place.service.have((0..<10_000).map { Thing(id: $0) })
    place.service.findGate = gate
    let fetching = Task { try await fetch(place, reader, cache, list, "\(local) \(reader)") }
    await gate.arrivals(1)
    let mine = (5_000..<15_000).map { Thing(id: $0, version: 9) }
    #expect(await place.evocation.storeOrUpdate(mine).error == nil)
    gate.open()
    try await fetching.value
    #expect(try await place.held() == (0..<5_000).map { Thing(id: $0) } + mine)
  }
}
