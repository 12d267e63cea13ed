/// The loads of pages, one in each direction.
struct PageLoads: Sendable {
  /// The load in one direction.
  enum Load: Sendable {
    case idle
    case loading(UInt64, Phase)
    case failed(CacheFailure)
  }

  enum Phase: Sendable {
    /// Until the source answers.
    case fetching
    /// Until the page is saved; whether the callers have left, so that no further page is wanted.
    case saving(isLeft: Bool)
    /// Until the list is shown with it.
    case showing
  }

  var next = Load.idle
  var previous = Load.idle

  subscript(direction: PageDirection) -> Load {
    get { direction == .next ? next : previous }
    set { if direction == .next { next = newValue } else { previous = newValue } }
  }

  /// The number of the load in a direction, if one runs.
  func number(_ direction: PageDirection) -> UInt64? {
    guard case .loading(let number, _) = self[direction] else { return nil }
    return number
  }

  /// Whether a page is being saved; values that are read during the save are shown with it.
  var isSaving: Bool {
    PageDirection.allCases.contains { direction in
      if case .loading(_, .saving) = self[direction] { true } else { false }
    }
  }

  /// The number of the failure in a direction.
  func failureNumber(_ direction: PageDirection) -> UInt64? {
    if case .failed(let failure) = self[direction] { failure.number } else { nil }
  }

  func state(_ direction: PageDirection, _ record: PageRecord?) -> AdditionalLoadingState {
    switch self[direction] {
    case .idle: .fixed(canRequestAdditionalData: record?[direction] != nil)
    case .loading: .loading
    case .failed(let failure): .error(failure.error)
    }
  }
}
