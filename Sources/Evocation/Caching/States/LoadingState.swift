/// A cache's state for a screen that shows loading, content or an error.
///
/// ```swift
/// state.loadingState.doAction(
///   onLoading: { member in board.show(member.map { "\($0.name) …" } ?? "…") },
///   onCompleted: { member, _, _ in board.show(member.name) },
///   onError: { error in board.show("No member: \(error)") })
/// ```
public enum LoadingState<Content: Sendable>: Sendable, PlainlyPrinted {
  /// The cache is being fetched or read, or has no requirements yet; with its content, if any.
  case loading(content: Content?)
  /// The content is there, or is empty because no fetch runs; with the state of further pages.
  ///
  /// `next` and `previous` are the loads of further pages in the two directions.
  case completed(content: Content, next: AdditionalLoadingState, previous: AdditionalLoadingState)
  /// The last fetch failed; with the present content, if any.
  case error(any Error, content: Content?)

  /// The content, in any of the cases.
  public var content: Content? {
    switch self {
    case .loading(let content): content
    case .completed(let content, _, _): content
    case .error(_, let content): content
    }
  }

  /// Calls the closure of the present case, and returns its result.
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

  /// Returns the same state with other content.
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
  /// Whether two show the same; errors are equal when their types and descriptions are.
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

extension LoadingState {
  /// Returns two states as one: an error if one is, else loading if one is, else completed.
  ///
  /// It has content where both have it. Of two errors it has the first.
  public func combine<Other: Sendable, New: Sendable>(
    _ other: LoadingState<Other>, _ transform: (Content, Other) throws -> New
  ) rethrows -> LoadingState<New> {
    let both: New? =
      if let left = content, let right = other.content { try transform(left, right) } else { nil }
    switch (self, other, both) {
    case (.error(let error, _), _, _), (_, .error(let error, _), _):
      return .error(error, content: both)
    case (
      .completed(_, let next, let previous),
      .completed(_, let otherNext, let otherPrevious), let content?
    ):
      return .completed(
        content: content, next: next.combined(with: otherNext),
        previous: previous.combined(with: otherPrevious))
    case (.loading, _, _), (_, .loading, _), (.completed, .completed, nil):
      return .loading(content: both)
    }
  }

  /// Returns three states as one.
  public func combine<Second: Sendable, Third: Sendable, New: Sendable>(
    _ second: LoadingState<Second>, _ third: LoadingState<Third>,
    _ transform: (Content, Second, Third) throws -> New
  ) rethrows -> LoadingState<New> {
    try combine(second) { ($0, $1) }.combine(third) { try transform($0.0, $0.1, $1) }
  }

  /// Returns four states as one.
  public func combine<Second: Sendable, Third: Sendable, Fourth: Sendable, New: Sendable>(
    _ second: LoadingState<Second>, _ third: LoadingState<Third>, _ fourth: LoadingState<Fourth>,
    _ transform: (Content, Second, Third, Fourth) throws -> New
  ) rethrows -> LoadingState<New> {
    try combine(second, third) { ($0, $1, $2) }
      .combine(fourth) { try transform($0.0, $0.1, $0.2, $1) }
  }

  /// Returns five states as one.
  public func combine<
    Second: Sendable, Third: Sendable, Fourth: Sendable, Fifth: Sendable, New: Sendable
  >(
    _ second: LoadingState<Second>, _ third: LoadingState<Third>, _ fourth: LoadingState<Fourth>,
    _ fifth: LoadingState<Fifth>,
    _ transform: (Content, Second, Third, Fourth, Fifth) throws -> New
  ) rethrows -> LoadingState<New> {
    try combine(second, third, fourth) { ($0, $1, $2, $3) }
      .combine(fifth) { try transform($0.0, $0.1, $0.2, $0.3, $1) }
  }
}

/// Whether a further page in one direction can be loaded, is being loaded, or failed.
///
/// ```swift
/// next.doAction(
///   onFixed: { isMore in board.show("\(members.count)\(isMore ? " and more" : "")") },
///   onLoading: { board.show("\(members.count) and some on their way") },
///   onError: { error in board.show("\(members.count), then \(error)") })
/// ```
public enum AdditionalLoadingState: Sendable, PlainlyPrinted {
  /// No page is being loaded; the flag says whether there is a further page.
  case fixed(canRequestAdditionalData: Bool)
  /// A page is being loaded.
  case loading
  /// The last page failed; the content stays, and you can request the page again.
  case error(any Error)

  /// Calls the closure of the present case, and returns its result.
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

  /// Returns the state of two lists together: an error if one is, else loading if one is.
  public func combined(with other: Self) -> Self {
    switch (self, other) {
    case (.error, _): self
    case (_, .error): other
    case (.loading, _), (_, .loading): .loading
    case (.fixed(let left), .fixed(let right)): .fixed(canRequestAdditionalData: left || right)
    }
  }

  /// The state of a list without a further page.
  public static var noMorePages: Self { .fixed(canRequestAdditionalData: false) }
}

extension AdditionalLoadingState: Equatable {
  /// Whether two are equal; errors are equal when their types and descriptions are.
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
