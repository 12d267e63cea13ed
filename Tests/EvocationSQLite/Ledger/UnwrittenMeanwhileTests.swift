import Evocation
import EvocationSQLite
import EvocationTesting
import TestTraits
import Testing

@testable import SQLiteSupport

/// What a write leaves of a fetch that is under way: only what it has really written stays.
@Suite(.patient) struct UnwrittenMeanwhileTests {
  enum Reader: String, CaseIterable, Sendable {
    case call, cache, list
  }

  /// A write on model 2, which the service has.
  enum Write: String, CaseIterable, Sendable {
    case storeOne, store, storeOrUpdate, updateOne, update, removeOne, remove

    func carryOut(_ evocation: Evocation) async -> (any Error)? {
      let thing = Thing(id: 2, version: 9)
      return switch self {
      case .storeOne: await evocation.storeOne(thing).error
      case .store: await evocation.store([thing]).error
      case .storeOrUpdate: await evocation.storeOrUpdate([thing]).error
      case .updateOne: await evocation.updateOne(thing).error
      case .update: await evocation.update([thing]).error
      case .removeOne: await evocation.removeOne(thing).error
      case .remove: await evocation.remove([thing]).error
      }
    }

    var isStore: Bool { self == .store || self == .storeOne }
    var isUpdate: Bool { self == .update || self == .updateOne }
    var isRemoval: Bool { self == .remove || self == .removeOne }
  }

  enum Rule: String, CaseIterable, Sendable {
    case `default`, localFirst, localOnly, remoteFirst, remoteOnly

    var strategy: Strategy {
      switch self {
      case .default: .default()
      case .localFirst: .localFirst
      case .localOnly: .localOnly
      case .remoteFirst: .remoteFirst
      case .remoteOnly: .remoteOnly
      }
    }

    /// Whether the write goes to the remote first.
    func isRemote(_ write: Write) -> Bool {
      switch self {
      case .default: write.isRemoval
      case .localFirst, .localOnly: false
      case .remoteFirst, .remoteOnly: true
      }
    }
  }

  /// What is there of model 2 in the end; nil where it is gone.
  private func expected(_ write: Write, _ rule: Rule, isHeld: Bool) -> Thing? {
    let (fetched, written) = (Thing(id: 2), Thing(id: 2, version: 9))
    if rule.isRemote(write) {
      // The service has it, and refuses to store it again.
      return write.isStore ? fetched : write.isRemoval ? nil : written
    }
    if write.isStore { return isHeld ? fetched : written }
    if write.isUpdate { return isHeld ? written : fetched }
    return write.isRemoval ? nil : written
  }

  @Test(arguments: [Meanwhile.Local.memory, .plain, .sqlite], Reader.allCases)
  func `A model that is written while a fetch brings it is there after it, whatever the rule`(
    _ local: Meanwhile.Local, _ reader: Reader
  ) async throws {
    for rule in Rule.allCases {
      for write in Write.allCases {
        for isHeld in [false, true] {
          let comment: Comment = "\(local) \(reader) \(rule) \(write) held: \(isHeld)"
          let place = try Meanwhile(local)
          try place.write(by: rule.strategy)
          let shown = try await play(place, reader, write, isHeld: isHeld, comment)
          let expected = [
            Thing(id: 1), expected(write, rule, isHeld: isHeld), Thing(id: 3),
          ].compactMap(\.self)
          #expect(shown == expected, comment)
          // What was in no list before is not removed with one.
          if reader != .list { #expect(try await place.held() == expected, comment) }
        }
      }
    }
  }

  private func play(
    _ place: Meanwhile, _ reader: Reader, _ write: Write, isHeld: Bool, _ comment: Comment
  ) async throws -> [Thing] {
    let (cache, list, gate) = (place.cache(), place.list(pageSize: 5), Gate())
    if isHeld { _ = try await place.local.store([Thing(id: 2, version: 0)]) }
    try await place.service.have([1, 2, 3].map { Thing(id: $0) })
    place.service.findGate = gate
    let fetching = Task {
      switch reader {
      case .call: await place.evocation.find(model: Thing.self).error == nil
      case .cache: try await cache.refresh(force: true) == .successful
      case .list: try await list.refresh(force: true) == .successful
      }
    }
    await gate.arrivals(1)
    _ = await write.carryOut(place.evocation)
    gate.open()
    #expect(try await fetching.value, comment)
    return switch reader {
    case .call: try await place.held()
    case .cache: try await cache.value(from: .cache)
    case .list: try await list.value(from: .cache)
    }
  }

  @Test(arguments: [Meanwhile.Local.memory, .sqlite])
  func `A page has a model that the app updated before local had it`(
    _ local: Meanwhile.Local
  ) async throws {
    let (place, gate) = (try Meanwhile(local), Gate())
    let list = place.list(pageSize: 2)
    try await place.service.have([1, 2, 3, 4].map { Thing(id: $0) })
    #expect(try await list.refresh() == .successful)
    place.service.findGate = gate
    async let paged = list.goToNextPage()
    await gate.arrivals(1)
    let update = await place.evocation.update([1, 4].map { Thing(id: $0, version: 9) })
    #expect(update.data == [Thing(id: 1, version: 9)])
    gate.open()
    #expect(await paged == .successful)
    #expect(
      try await list.value(from: .cache)
        == [Thing(id: 1, version: 9), Thing(id: 2), Thing(id: 3), Thing(id: 4)])
  }

  @Test(arguments: [Meanwhile.Local.memory, .sqlite])
  func `What the service refused and local took back is fetched as the service has it`(
    _ local: Meanwhile.Local
  ) async throws {
    let place = try Meanwhile(local, write: .init(target: .local, rollsBack: true))
    let (cache, gate, taken) = (place.cache(), Gate(), Thing(id: 2, version: 9))
    try await place.service.have([1, 2, 3].map { Thing(id: $0) })
    place.service.findGate = gate
    place.service.refusesCopies.withLock { $0 = true }
    async let refreshed = cache.refresh(force: true)
    await gate.arrivals(1)
    #expect(await place.evocation.storeOne(taken).error is SlowService.Refusal)
    gate.open()
    #expect(try await refreshed == .successful)
    #expect(try await place.held() == [1, 2, 3].map { Thing(id: $0) })
  }
}
