extension CacheMachine {
  /// What follows for a caller who asks for a page.
  enum PageAnswer {
    /// There is nothing to wait for.
    case result(PageResult)
    /// The load with this number runs already, and is waited for.
    case joined(UInt64)
    /// A load with this number begins.
    case begun(UInt64, [Effect])
  }

  /// A caller asks for a page; it is answered at once, or when the page is shown.
  ///
  /// One who is inside a load of this list waits for none, because that may be its own.
  mutating func pageAsked(
    _ direction: PageDirection, continueWhenError: Bool, isInsideLoad: Bool
  ) -> PageAnswer {
    guard let record else {
      let error = refreshError == nil ? CacheError.pageWithoutCache : .pageOfFailedList
      return .result(.failed(error))
    }
    switch pages[direction] {
    case .loading where isInsideLoad: return .result(.skipped(.alreadyLoading))
    case .loading(let number, .saving):
      // Those who left wanted no further page; this one does.
      pages[direction] = .loading(number, .saving(isLeft: false))
      return .joined(number)
    case .loading(let number, _): return .joined(number)
    case .failed where !continueWhenError: return .result(.skipped(.lastPageFailed))
    case .failed, .idle: break
    }
    guard record.pages?[direction] != nil else { return .result(.skipped(.noMorePages)) }
    let number = nextNumber()
    pages[direction] = .loading(number, .fetching)
    return .begun(number, [publish()])
  }

  /// Whether a page still belongs to the list that is there; a page of an old list is dropped.
  func isExpected(_ direction: PageDirection, _ number: UInt64) -> Bool {
    pages.number(direction) == number
  }

  /// Whether a page may be saved now: it belongs to the list that is there, and is waited for.
  mutating func beginSavingPage(_ direction: PageDirection, _ number: UInt64) -> Bool {
    guard case .loading(number, .fetching) = pages[direction] else { return false }
    pages[direction] = .loading(number, .saving(isLeft: false))
    return true
  }

  /// A page is saved, and is shown with the list.
  mutating func pageSaved(
    _ direction: PageDirection, _ number: UInt64, _ record: FetchRecord, at now: CacheMoment
  ) -> [Effect] {
    self.record = record
    guard pages.number(direction) == number else { return [] }
    pages[direction] = .loading(number, .showing)
    return isObserved ? readAgain(.ownSave, at: now) : showPages()
  }

  /// A page was empty, with more to come: the position has moved on.
  mutating func pagePassedOver(
    _ direction: PageDirection, _ number: UInt64, _ record: FetchRecord
  ) -> [Effect] {
    self.record = record
    guard case .loading(number, .saving(let isLeft)) = pages[direction] else { return [] }
    pages[direction] = .loading(number, .fetching)
    return isLeft ? pageLeft(number) : [publish()]
  }

  /// A page failed: the list and its position are as they were.
  mutating func pageFailed(
    _ direction: PageDirection, _ number: UInt64, _ error: any Error
  ) -> [Effect] {
    guard pages.number(direction) == number else { return [] }
    pages[direction] = .failed(error)
    errorVersion += 1
    return [publish(), .answerPage(number, .failed(error))]
  }

  /// Nobody waits for a page any longer; one that is being saved is saved all the same.
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
