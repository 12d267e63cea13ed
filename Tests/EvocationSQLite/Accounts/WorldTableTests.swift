import Evocation
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import EvocationCaching
@testable import EvocationCalls
@testable import EvocationStores
@testable import EvocationValues
@testable import SQLiteSupport

/// What becomes of each kind of work that is under way when something else changes, as a full product.
///
/// In each cell the work's request waits at the first user's service while the change is made, and then
/// gets its answer. Afterwards nothing of the first user is in the store of the next one or on a screen,
/// nothing counts as fresh that another service answered, and what is observed shows what there is now.
@Suite(.patient) struct WorldTableTests {
  typealias Item = World.Item

  @Test(arguments: World.Change.allCases, World.Store.allCases)
  func `What is under way when something changes belongs to what was before`(
    _ change: World.Change, _ store: World.Store
  ) async throws {
    for work in World.Work.allCases {
      try await Cell(change, work, store).play()
    }
  }

  /// One cell of the table.
  private struct Cell {
    let change: World.Change
    let work: World.Work
    let world: World
    private var evocation: Evocation { world.evocation }
    private var comment: Comment { "\(change.rawValue) × \(work.rawValue)" }

    init(_ change: World.Change, _ work: World.Work, _ store: World.Store) throws {
      (self.change, self.work) = (change, work)
      world = try World(store)
    }

    func play() async throws {
      try world.register(
        world.first, strategy: work == .entry ? .offlineFirst : .cacheFirst(maxAge: .hours(1)))
      var observer = Watch(evocation.observe(model: Item.self))
      _ = await observer.state()
      await world.first.liveStreams(1)
      let under = try await begin()
      if change == .signOut {
        // It waits for the work's turn, if that has one.
        let signingOut = Task { try await world.make(.signOut) }
        if work == .entry || work == .liveBatch { world.release() }
        try await signingOut.value
      } else {
        try await world.make(change)
      }
      world.release()
      await under.value
      try await check()
      try await look(&observer)
    }

    /// Begins the work, and returns its task when its request waits at the service.
    private func begin() async throws -> Task<Void, Never> {
      let evocation = evocation
      let task: Task<Void, Never>
      let arrived = world.first.calls.count
      world.hold()
      switch work {
      case .find: task = Task { _ = await evocation.find(model: Item.self) }
      case .cache: task = Task { _ = try? await evocation.cache(Item.self).refresh() }
      case .list:
        let list = evocation.pagingCache(Item.self, pageSize: 3)
        task = Task { _ = try? await list.cache.refresh() }
      case .page:
        let list = evocation.pagingCache(Item.self, pageSize: 3)
        world.release()
        _ = try await list.cache.refresh()
        world.hold()
        task = Task { _ = await list.goToNextPage() }
      case .view:
        task = Task { @MainActor in
          let view = ObservedModels(Item.self, in: evocation)
          _ = await view.refresh()
        }
      case .prefetch: task = Task { _ = await evocation.prefetch(Item.self) }
      case .liveBatch:
        // A write to the service has its turn, and the batch waits behind it.
        let first = world.first
        task = Task { [world] in
          async let write = evocation.storeOne(Item(id: 50), rule: .remoteOnly)
          await world.gate.arrivals(1)
          first.send(RemoteChanges(stored: [Item(id: 7)], mark: "7"))
          _ = await write
        }
      case .entry:
        _ = await evocation.storeOne(Item(id: 8))
        task = Task { _ = await evocation.outbox.flush() }
      case .catchUp:
        let cache = evocation.cache(Item.self)
        let observation = cache.observe { _ in }
        task = Task {
          _ = await evocation.catchUp(deadline: .seconds(60))
          observation.cancel()
          withExtendedLifetime(cache) {}
        }
      }
      try await eventually("the request, \(comment)") { world.first.calls.count > arrived }
      return task
    }

    private var isAnothers: Bool { change != .strategy && change != .invalidate }

    /// Looks at the stores and at what the next reads ask.
    private func check() async throws {
      let number = change == .otherStore || change == .unregisterAndOtherStore ? 1 : 0
      if isAnothers, change != .unregister {
        let held = try await world.held(in: number)
        // A page and the app's own write were saved before the change, and stay until the next service has
        // answered.
        if work != .page && work != .entry || change != .otherService {
          #expect(held.allSatisfy { !$0.isOfFirst }, comment)
        }
      }
      if change == .unregister { try world.register(world.second, in: 1) }
      let found = await evocation.find(model: Item.self, rule: .cacheFirst(maxAge: .hours(1)))
      #expect(found.error == nil, comment)
      let isOfFirst = found.data?.map(\.isOfFirst) ?? []
      #expect(!isOfFirst.isEmpty && isOfFirst.allSatisfy { $0 == !isAnothers }, comment)
      // A cache and a view ask again by themselves, so that there may be nothing to ask for.
      let repeats = work == .cache || work == .catchUp || work == .view
      if isAnothers { #expect(found.origin == .remote || repeats, comment) }
      if change == .invalidate, work != .page, work != .entry, work != .liveBatch, !repeats {
        #expect(found.origin == .remote, comment)
      }
      #expect(await evocation.find(model: Item.self).origin == .local || work == .entry, comment)
    }

    /// Looks at what the observer from before the change shows now.
    private func look(
      _ observer: inout Watch<some AsyncSequence<Evocation.Result<[Item]>, Never>>
    ) async throws {
      let last = await observer.state { result in
        guard let data = result.data, !data.isEmpty else { return false }
        return data.contains { $0.name == "served" && $0.isOfFirst == !isAnothers }
          && (!isAnothers || data.allSatisfy { !$0.isOfFirst })
      }
      #expect(last != nil, comment)
      let shown = evocation.cache(Item.self, maxAge: .hours(1))
      _ = try await shown.refresh()
      #expect(
        try await shown.value().contains { $0.isOfFirst == !isAnothers && $0.name == "served" },
        comment)
    }
  }
}
