/// How the loading of pages stands, in both directions.
struct PageLoads: Sendable {
  /// How one direction stands.
  enum Load: Sendable {
    case idle
    case loading(UInt64, Phase)
    case failed(CacheFailure)
  }

  enum Phase: Sendable {
    /// Until the source answers.
    case fetching
    /// Until the page is saved; whether its caller has left, who wants no further one.
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

  /// The number of the load that runs in a direction.
  func number(_ direction: PageDirection) -> UInt64? {
    guard case .loading(let number, _) = self[direction] else { return nil }
    return number
  }

  /// Whether a page is being saved; what is read meanwhile is shown together with it.
  var isSaving: Bool {
    PageDirection.allCases.contains { direction in
      if case .loading(_, .saving) = self[direction] { true } else { false }
    }
  }

  /// The number of what went wrong in a direction.
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
