extension CacheMachine {
  /// The ways to answer a caller that asks for a page.
  enum PageAnswer: Sendable {
    /// It gets a result immediately.
    case result(PageResult)
    /// It waits for the load that runs.
    case join
    /// It begins a load.
    case begin
  }

  /// Decides how to answer a caller; if it waits, ``Event/pageAsked(_:)`` must follow.
  ///
  /// A caller inside a load of this list never waits for one, because it may be its own.
  func pageAnswer(
    _ direction: PageDirection, continueWhenError: Bool, isInsideLoad: Bool
  ) -> PageAnswer {
    guard let record = stored.record else { return .result(.failed(CacheError.pageWithoutCache)) }
    switch pages[direction] {
    case .loading where isInsideLoad: return .result(.skipped(.alreadyLoading))
    case .loading: return .join
    case .failed where !continueWhenError: return .result(.skipped(.lastPageFailed))
    case .failed, .idle: break
    }
    return record.pages?[direction] == nil ? .result(.skipped(.noMorePages)) : .begin
  }

  mutating func pageAsked(_ direction: PageDirection) -> [Effect] {
    switch pages[direction] {
    case .loading(let number, .saving):
      // The callers had left, so no further page was wanted; this caller wants one.
      pages[direction] = .loading(number, .saving(isLeft: false))
      return []
    case .loading: return []
    case .failed, .idle:
      pages[direction] = .loading(nextNumber(), .fetching)
      return [publish()]
    }
  }

  /// Whether a page may be saved now: its load still runs.
  func canSavePage(_ direction: PageDirection, _ number: UInt64) -> Bool {
    guard case .loading(number, .fetching) = pages[direction] else { return false }
    return true
  }

  mutating func pageSavingBegan(_ direction: PageDirection, _ number: UInt64) -> [Effect] {
    if canSavePage(direction, number) {
      pages[direction] = .loading(number, .saving(isLeft: false))
    }
    return []
  }

  mutating func pageSaved(
    _ direction: PageDirection, _ number: UInt64, _ record: FetchRecord?, version: UInt64?,
    at now: CacheMoment
  ) -> [Effect] {
    if let record { stored.change { $0 = record } }
    guard pages.number(direction) == number else { return [] }
    pages[direction] = .loading(number, .showing)
    return isObserved ? showOwnSave(version, at: now) : showPages()
  }

  mutating func pagePassedOver(
    _ direction: PageDirection, _ number: UInt64, _ record: FetchRecord
  ) -> [Effect] {
    stored.change { $0 = record }
    guard case .loading(number, .saving(let isLeft)) = pages[direction] else { return [] }
    pages[direction] = .loading(number, .fetching)
    return isLeft ? pageLeft(number) : [publish()]
  }

  mutating func pageFailed(
    _ direction: PageDirection, _ number: UInt64, _ failure: CacheFailure
  ) -> [Effect] {
    guard pages.number(direction) == number else { return [] }
    pages[direction] = .failed(failure)
    return [publish(), .answerPage(number, .failed(failure.error))]
  }

  mutating func pageLeft(_ number: UInt64) -> [Effect] {
    for direction in PageDirection.allCases {
      switch pages[direction] {
      case .loading(number, .fetching):
        pages[direction] = .idle
        return [publish(), .answerPage(number, .skipped(.cancelled))]
      case .loading(number, .saving):
        pages[direction] = .loading(number, .saving(isLeft: true))
      case .loading, .failed, .idle: continue
      }
    }
    return []
  }

  /// Ends the loads of saved pages, which are shown now.
  mutating func showPages() -> [Effect] {
    var answers: [Effect] = []
    for direction in PageDirection.allCases {
      guard case .loading(let number, .showing) = pages[direction] else { continue }
      pages[direction] = .idle
      answers.append(.answerPage(number, .successful))
    }
    return answers
  }

  /// Ends the loads of an old list, which was replaced.
  mutating func dropPages() -> [Effect] {
    let dropped = PageDirection.allCases.compactMap { pages.number($0) }
    pages = PageLoads()
    return dropped.map { .answerPage($0, .skipped(.cancelled)) }
  }
}
