package import Evocation

/// An app, or its extension, on a file that another process has open too.
package struct SharedApp: Sendable {
  package let evocation: Evocation
  /// All notes, as a cache.
  package let cache: CacheRepository<ProxyCacheDataSource<NumberedNote>>
  /// All notes, in pages of two.
  package let list: PagingCacheRepository<ProxyPagingCacheDataSource<NumberedNote>>

  /// Opens it on a local repository; its service is asked by words, such as `find 0 2` or `store 5:1`.
  package init(
    local: some OutboxStore<NumberedNote>,
    service ask: @escaping @Sendable (String) async throws -> [NumberedNote]
  ) throws {
    let write = Strategy.Rule(target: .local, synchronize: .outbox)
    let read = Strategy.Rule.cacheFirst(maxAge: .seconds(3600))
    var rules = Dictionary(uniqueKeysWithValues: Strategy.Action.allCases.map { ($0, write) })
    (rules[.find], rules[.findOne]) = (read, read)
    evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
    evocation.register(for: NumberedNote.self)
      .repository(remote: AskedService(ask: ask))
      .repository(local: local)
      .strategy(try Strategy(rules: rules))
    cache = evocation.cache(NumberedNote.self, options: .init(automaticallyRefresh: false))
    cache.requirements = Criteria()
    list = evocation.pagingCache(
      NumberedNote.self, pageSize: 2, options: .init(automaticallyRefresh: false))
    list.requirements = Criteria()
  }

  /// Notes as words: their ids and numbers.
  package static func words(_ notes: [NumberedNote]) -> String {
    notes.map { "\($0.id):\($0.number)" }.joined(separator: " ")
  }

  /// Reads what ``words(_:)`` wrote.
  package static func notes(_ words: some StringProtocol) -> [NumberedNote] {
    words.split(separator: " ").compactMap { word in
      let parts = word.split(separator: ":").compactMap { Int($0) }
      return parts.count == 2 ? NumberedNote(id: parts[0], number: parts[1]) : nil
    }
  }
}

/// A service that is asked by words.
private struct AskedService: Repository {
  let ask: @Sendable (String) async throws -> [NumberedNote]

  func find(_ criteria: Criteria) async throws -> Response<[NumberedNote]> {
    let part = criteria.limit.map { " \(criteria.offset) \($0)" } ?? ""
    return Response(try await ask("find" + part))
  }

  func store(_ models: [NumberedNote]) async throws -> Response<[NumberedNote]> {
    try await write("store", models)
  }

  func update(_ models: [NumberedNote]) async throws -> Response<[NumberedNote]> {
    try await write("update", models)
  }

  func storeOrUpdate(_ models: [NumberedNote]) async throws -> Response<[NumberedNote]> {
    try await write("storeOrUpdate", models)
  }

  func remove(_ models: [NumberedNote]) async throws -> Response<[NumberedNote]> {
    try await write("remove", models)
  }

  private func write(
    _ kind: String, _ models: [NumberedNote]
  ) async throws -> Response<[NumberedNote]> {
    Response(try await ask("\(kind) \(SharedApp.words(models))"))
  }
}
