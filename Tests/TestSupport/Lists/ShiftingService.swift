package import Evocation
package import EvocationTesting

/// A service whose items come, go and move while a list is paged, as those of real ones do.
///
/// ```swift
/// let service = ShiftingService((1...4).map { Listed($0) })
/// evocation.register(for: Listed.self)
///   .repository(remote: service)
///   .repository(local: InMemoryRepository<Listed>())
/// let list = evocation.pagingCache(Listed.self, pageSize: 2, options: .init(paging: service.paging))
/// list.requirements = Criteria()
/// try await list.refresh()
/// service.items.insert(Listed(9), at: 0)
/// await list.goToNextPage()
/// #expect(try await list.value().map(\.id) == [1, 2, 3])
/// ```
///
/// It is the remote of a list under test. A test sets its items at any time, may have it fail after
/// a number of answers, and may have calls wait at a ``Gate``. Writes fail. Safe to use from any
/// thread.
package final class ShiftingService: Repository {
  /// How it is asked for pages.
  package enum Kind: String, Sendable, CaseIterable {
    /// By limit and offset.
    case offset
    /// By what comes after an id.
    case after
    /// By a text that the last answer gave.
    case cursor
    /// By a page's number.
    case number
  }

  /// What it throws while it is down, and for every write.
  package struct Outage: Error, Equatable {
    /// Makes the error.
    package init() {}
  }

  private struct State {
    var items: [Listed]
    var answers: [[Listed]] = []
    var asked: [Criteria] = []
    var answersUntilOutage: Int?
    var gate: Gate?
  }

  private let kind: Kind
  private let state: Lock<State>

  /// Makes a service that has these items, in this order.
  package init(_ items: [Listed], _ kind: Kind = .offset) {
    self.kind = kind
    state = Lock(State(items: items))
  }

  /// The service's models, in its order.
  package var items: [Listed] {
    get { state.withLock { $0.items } }
    set { state.withLock { $0.items = newValue } }
  }

  /// How many answers it gives before it fails; nil for any number.
  package var answersUntilOutage: Int? {
    get { state.withLock { $0.answersUntilOutage } }
    set { state.withLock { $0.answersUntilOutage = newValue } }
  }

  /// Where calls wait before they are answered.
  package var gate: Gate? {
    get { state.withLock { $0.gate } }
    set { state.withLock { $0.gate = newValue } }
  }

  /// The criteria of all reads so far.
  package var asked: [Criteria] { state.withLock { $0.asked } }

  /// Gives the answers since the last time that this was called.
  package func takeAnswers() -> [[Listed]] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// How a proxy asks it for pages.
  package var paging: ProxyPaging {
    switch kind {
    case .offset: .offset
    case .after: .after
    case .cursor: .cursor(key: "cursor")
    case .number:
      .number { criteria, page in
        criteria.offset((page - 1) * (criteria.limit ?? 0))
      }
    }
  }

  /// Waits at the gate, if there is one, and gives the page.
  ///
  /// - Throws: ``Outage`` when it has given as many answers as it was to give.
  package func find(_ criteria: Criteria) async throws -> Response<[Listed]> {
    let gate = state.withLock { state in
      state.asked.append(criteria)
      return state.gate
    }
    try await gate?.pass()
    return try state.withLock { state in
      if let left = state.answersUntilOutage {
        guard left > 0 else { throw Outage() }
        state.answersUntilOutage = left - 1
      }
      let start = start(criteria, state.items)
      let end = min(state.items.count, start + (criteria.limit ?? state.items.count))
      let page = Array(state.items[min(start, end)..<end])
      state.answers.append(page)
      // An empty text behind the last page, as services do that speak cursors.
      let next = end < state.items.count ? "\(state.items[end].id)" : ""
      return Response(page, metadata: ["cursor": next])
    }
  }

  private func start(_ criteria: Criteria, _ items: [Listed]) -> Int {
    guard let id = criteria.cursor?.id.first else { return min(criteria.offset, items.count) }
    switch (kind, id) {
    case (.after, .integer(let last)):
      return items.firstIndex { $0.id == last }.map { $0 + 1 } ?? items.count
    case (.cursor, .text(let text)):
      return items.firstIndex { "\($0.id)" == text } ?? items.count
    case (.offset, _), (.after, _), (.cursor, _), (.number, _): return items.count
    }
  }

  /// Writes nothing.
  ///
  /// - Throws: ``Outage``, always.
  package func store(_ models: [Listed]) async throws -> Response<[Listed]> {
    throw Outage()
  }

  /// Writes nothing.
  ///
  /// - Throws: ``Outage``, always.
  package func update(_ models: [Listed]) async throws -> Response<[Listed]> {
    throw Outage()
  }

  /// Writes nothing.
  ///
  /// - Throws: ``Outage``, always.
  package func storeOrUpdate(_ models: [Listed]) async throws -> Response<[Listed]> {
    throw Outage()
  }

  /// Writes nothing.
  ///
  /// - Throws: ``Outage``, always.
  package func remove(_ models: [Listed]) async throws -> Response<[Listed]> {
    throw Outage()
  }
}
