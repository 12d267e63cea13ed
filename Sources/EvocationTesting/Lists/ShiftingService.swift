package import Evocation

/// A service whose items come, go and shift between two pages, as those of others do.
///
/// It answers by limit and offset, behind an id, by a text that it gave, or by a page's number.
package final class ShiftingService: Repository {
  /// How it is asked.
  package enum Kind: String, Sendable, CaseIterable {
    case offset, after, cursor, number
  }

  /// What it says to a page that is asked for while it fails.
  package struct Outage: Error, Equatable {
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

  package init(_ items: [Listed], _ kind: Kind = .offset) {
    self.kind = kind
    state = Lock(State(items: items))
  }

  /// What it has, in its order.
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

  /// What it was asked so far.
  package var asked: [Criteria] { state.withLock { $0.asked } }

  /// Gives what it answered since it was asked for it last.
  package func takeAnswers() -> [[Listed]] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }

  /// How a proxy asks it.
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
      let next = end < state.items.count ? state.items[end].id : nil
      return Response(page, metadata: next.map { ["cursor": "\($0)"] } ?? [:])
    }
  }

  private func start(_ criteria: Criteria, _ items: [Listed]) -> Int {
    guard let id = criteria.cursor?.id.first else { return min(criteria.offset, items.count) }
    switch (kind, id) {
    case (.after, .integer(let last)):
      return items.firstIndex { $0.id == last }.map { $0 + 1 } ?? items.count
    case (.cursor, .text(let text)):
      return items.firstIndex { "\($0.id)" == text } ?? items.count
    default: return items.count
    }
  }

  package func store(_ models: [Listed]) async throws -> Response<[Listed]> { throw Outage() }
  package func update(_ models: [Listed]) async throws -> Response<[Listed]> { throw Outage() }
  package func storeOrUpdate(_ models: [Listed]) async throws -> Response<[Listed]> {
    throw Outage()
  }
  package func remove(_ models: [Listed]) async throws -> Response<[Listed]> { throw Outage() }
}
