/// A cache's state as a screen with three faces sees it.
public enum LoadingState<Content: Sendable>: Sendable {
  /// It is being fetched, or has not been asked for yet; what is there until then, if anything.
  case loading(content: Content?)
  /// It is there; and how further pages stand in both directions.
  case completed(content: Content, next: AdditionalLoadingState, previous: AdditionalLoadingState)
  /// The last fetch failed; what is there nevertheless, if anything.
  case error(any Error, content: Content?)

  /// The content that there is, in whichever case.
  public var content: Content? {
    switch self {
    case .loading(let content): content
    case .completed(let content, _, _): content
    case .error(_, let content): content
    }
  }

  /// Calls the closure of the present case, and gives what it answers.
  public func doAction<Value>(
    onLoading: (_ content: Content?) throws -> Value,
    onCompleted: (
      _ content: Content, _ next: AdditionalLoadingState, _ previous: AdditionalLoadingState
    ) throws -> Value,
    onError: (_ error: any Error) throws -> Value
  ) rethrows -> Value {
    switch self {
    case .loading(let content): try onLoading(content)
    case .completed(let content, let next, let previous):
      try onCompleted(content, next, previous)
    case .error(let error, _): try onError(error)
    }
  }

  /// The same state with other content.
  public func mapContent<New: Sendable>(
    _ transform: (Content) throws -> New
  ) rethrows -> LoadingState<New> {
    switch self {
    case .loading(let content): .loading(content: try content.map(transform))
    case .completed(let content, let next, let previous):
      .completed(content: try transform(content), next: next, previous: previous)
    case .error(let error, let content): .error(error, content: try content.map(transform))
    }
  }
}

extension LoadingState: Equatable where Content: Equatable {
  /// Whether two show the same; errors are alike when type and description are.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.loading(let left), .loading(let right)): left == right
    case (
      .completed(let left, let leftNext, let leftPrevious),
      .completed(let right, let rightNext, let rightPrevious)
    ):
      left == right && leftNext == rightNext && leftPrevious == rightPrevious
    case (.error(let left, let leftContent), .error(let right, let rightContent)):
      ErrorIdentity(left) == ErrorIdentity(right) && leftContent == rightContent
    case (.loading, _), (.completed, _), (.error, _): false
    }
  }
}
