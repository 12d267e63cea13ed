/// How the loading of further pages in one direction stands.
public enum AdditionalLoadingState: Sendable {
  /// Nothing is being loaded; whether there is more to ask for.
  case fixed(canRequestAdditionalData: Bool)
  /// A page is being loaded.
  case loading
  /// The last page failed; what is shown stays, and the page can be asked for again.
  case error(any Error)

  /// Calls the closure of the present case.
  public func doAction<Value>(
    onFixed: (_ canRequestAdditionalData: Bool) throws -> Value,
    onLoading: () throws -> Value,
    onError: (any Error) throws -> Value
  ) rethrows -> Value {
    switch self {
    case .fixed(let canRequest): try onFixed(canRequest)
    case .loading: try onLoading()
    case .error(let error): try onError(error)
    }
  }

  /// The state of two lists together: an error over loading over neither.
  public func combined(with other: Self) -> Self {
    switch (self, other) {
    case (.error, _): self
    case (_, .error): other
    case (.loading, _), (_, .loading): .loading
    case (.fixed(let left), .fixed(let right)): .fixed(canRequestAdditionalData: left || right)
    }
  }

  /// No page beyond what is there.
  public static var noMorePages: Self { .fixed(canRequestAdditionalData: false) }
}

extension AdditionalLoadingState: Equatable {
  /// Whether two stand alike; errors are alike when type and description are.
  public static func == (left: Self, right: Self) -> Bool {
    left.isSame(as: right, ErrorIdentity.areSame)
  }

  func isSame(as other: Self, _ areSame: ((any Error)?, (any Error)?) -> Bool) -> Bool {
    switch (self, other) {
    case (.fixed(let left), .fixed(let right)): left == right
    case (.loading, .loading): true
    case (.error(let left), .error(let right)): areSame(left, right)
    case (.fixed, _), (.loading, _), (.error, _): false
    }
  }
}
