import Evocation

/// What a test stated about a state's further pages, in both directions.
struct PagingDraft: Sendable {
  /// What was stated about one direction.
  struct Direction: Sendable {
    var areMorePages = false
    var load: AdditionalLoadingState?

    /// The same, completed by what the content says; what was stated wins.
    func completed(by areMore: Bool, _ other: AdditionalLoadingState) -> Direction {
      guard load == nil else { return self }
      guard case .fixed = other else { return Direction(areMorePages: true, load: other) }
      return Direction(areMorePages: areMorePages || areMore)
    }

    var state: AdditionalLoadingState {
      load ?? .fixed(canRequestAdditionalData: areMorePages)
    }
  }

  var next = Direction()
  var previous = Direction()

  subscript(direction: PageDirection) -> Direction {
    get { direction == .next ? next : previous }
    set { if direction == .next { next = newValue } else { previous = newValue } }
  }

  /// Puts it into a state, and into its content where that is a ``PagedCache``.
  func complete<Cache>(_ state: inout CacheState<Cache>) {
    var list = state.cache as? any ListPart
    let next = next.completed(by: list?.areMorePages ?? false, list?.next ?? .noMorePages)
    let previous = previous.completed(
      by: list?.areMorePreviousPages ?? false, list?.previous ?? .noMorePages)
    state.areMorePages = next.areMorePages
    state.next = next.state
    state.areMorePreviousPages = previous.areMorePages
    state.previous = previous.state
    list?.areMorePages = next.areMorePages
    list?.next = next.state
    list?.areMorePreviousPages = previous.areMorePages
    list?.previous = previous.state
    guard let content = list as? Cache, let date = state.fetchedAt else { return }
    state.state = .cache(content, fetchedAt: date)
  }
}

/// A ``PagedCache`` of any content.
private protocol ListPart {
  var areMorePages: Bool { get set }
  var areMorePreviousPages: Bool { get set }
  var next: AdditionalLoadingState { get set }
  var previous: AdditionalLoadingState { get set }
}

extension PagedCache: ListPart {}
