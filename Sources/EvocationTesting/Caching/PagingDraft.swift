import Evocation

/// What a test states about further pages, in both directions.
struct PagingDraft: Sendable {
  /// What a test states about one direction.
  struct Direction: Sendable {
    var areMorePages = false
    var load: AdditionalLoadingState?

    /// Returns it completed by the content.
    ///
    /// What the test states takes precedence.
    func completed(by areMore: Bool, _ other: AdditionalLoadingState) -> Direction {
      guard load == nil else { return self }
      guard case .fixed = other else { return Direction(areMorePages: true, load: other) }
      return Direction(areMorePages: areMorePages || areMore)
    }

    var state: AdditionalLoadingState { load ?? .fixed(canRequestAdditionalData: areMorePages) }
  }

  var next = Direction()
  var previous = Direction()

  /// Puts it into a state, and into its content if that is a `PagedCache`.
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

/// A `PagedCache` of any content.
private protocol ListPart {
  var areMorePages: Bool { get set }
  var areMorePreviousPages: Bool { get set }
  var next: AdditionalLoadingState { get set }
  var previous: AdditionalLoadingState { get set }
}

extension PagedCache: ListPart {}
