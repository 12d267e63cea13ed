import Foundation

/// Keeps lists in memory, for a local repository that is not a list store.
final class InMemoryListStore<Model: Sendable>: ListStore {
  struct State {
    var lists: [ByteText: ListContents] = [:]
    /// Whether models may have been removed by a change that did not name them.
    var mayHaveLost = false
  }

  let local: any Repository<Model>
  let access: ModelAccess<Model>
  let state = Lock(State())
  private let tellsChanges: Bool
  private let observation = Lock<Evocation.Observation?>(nil)

  /// Creates lists for a repository, and observes its changes if it is observable.
  ///
  /// - Throws: ``CacheError/notListable(model:)``.
  init(_ local: any Repository<Model>) throws(CacheError) {
    guard let access = ModelAccess<Model>.make(), access.isListable else {
      throw .notListable(model: "\(Model.self)")
    }
    self.local = local
    self.access = access
    let observable = local.role((any ObservableRepository<Model>).self)
    tellsChanges = observable != nil
    let following = observable?.observeChanges { [weak self] in self?.follow($0) }
    observation.withLock { $0 = following }
  }

  func part(of list: String, in range: Range<Int>?) async throws -> ListPart<Model>? {
    while true {
      let (found, knowsRemoved) = state.withLock {
        ($0.lists[ByteText(list)], tellsChanges && !$0.mayHaveLost)
      }
      guard let found else { return nil }
      let range = (range ?? 0..<found.count).clamped(to: 0..<found.count)
      let ids = found.ids(in: range)
      let models = try await local.models(withIDs: ids, access)
      let lost = models.count == ids.count ? [] : ids.filter { models[$0] == nil }
      if lost.isEmpty || knowsRemoved {
        return ListPart(ids.compactMap { models[$0] }, range: range, count: found.count)
      }
      // The repository does not report all removed models, so this read notices them.
      state.withLock { $0.remove(lost) }
    }
  }

  func pageCount(of list: String) async throws -> Int? {
    state.withLock { $0.lists[ByteText(list)]?.pageCount }
  }

  func makePages() async throws -> any CollectedPages<Model> { InMemoryPages<Model>() }

  private func follow(_ change: RepositoryChange<Model>) {
    switch change.extent {
    case .unknown: state.withLock { $0.mayHaveLost = true }
    case .models(_, _, let removed):
      guard !removed.isEmpty else { return }
      let ids = removed.compactMap { try? access.id($0) }
      state.withLock { $0.remove(ids) }
    }
  }
}

extension InMemoryListStore.State {
  /// Removes models from all lists.
  mutating func remove(_ ids: [ModelID]) {
    for list in Array(lists.keys) {
      for id in ids { _ = lists[list]?.remove(id) }
    }
  }
}

/// The pages of a refresh in memory.
final class InMemoryPages<Model: Sendable>: CollectedPages {
  private let pages = Lock<[CollectedPage<Model>]>([])

  var haveVersions: Bool { pages.withLock { $0.contains { !$0.versions.isEmpty } } }

  func add(_ page: CollectedPage<Model>) throws { pages.withLock { $0.append(page) } }

  func forEach(_ body: (CollectedPage<Model>) throws -> Void) throws {
    for page in pages.withLock({ $0 }) { try body(page) }
  }
}
