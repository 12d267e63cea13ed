extension CacheMachine {
  /// What a caller who asks for a page has to do.
  enum PageAnswer: Sendable {
    /// There is nothing to wait for.
    case result(PageResult)
    /// A load runs already, and is waited for.
    case join
    /// A load begins.
    case begin
  }

  /// What a caller who asks for a page has to do; one who waits says so by ``Event/pageAsked(_:)``.
  ///
  /// One who is inside a load of this list waits for none, because that may be its own.
  func pageAnswer(
    _ direction: PageDirection, continueWhenError: Bool, isInsideLoad: Bool
  ) -> PageAnswer {
    guard let record = stored.record else {
      let error = refresh.failure == nil ? CacheError.pageWithoutCache : .pageOfFailedList
      return .result(.failed(error))
    }
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
      // Those who left wanted no further page; this one does.
      pages[direction] = .loading(number, .saving(isLeft: false))
      return []
    case .loading: return []
    case .failed, .idle:
      pages[direction] = .loading(nextNumber(), .fetching)
      return [publish()]
    }
  }

  /// Whether a page may be saved now: it belongs to the list that is there, and is waited for.
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

  /// The pages that are saved are shown now.
  mutating func showPages() -> [Effect] {
    var answers: [Effect] = []
    for direction in PageDirection.allCases {
      guard case .loading(let number, .showing) = pages[direction] else { continue }
      pages[direction] = .idle
      answers.append(.answerPage(number, .successful))
    }
    return answers
  }

  /// The list is another now: what is loaded for the old one is dropped.
  mutating func dropPages() -> [Effect] {
    let dropped = PageDirection.allCases.compactMap { pages.number($0) }
    pages = PageLoads()
    return dropped.map { .answerPage($0, .skipped(.cancelled)) }
  }
}
