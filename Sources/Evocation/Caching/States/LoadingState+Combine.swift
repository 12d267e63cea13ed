extension LoadingState {
  /// Two states as one: an error over loading over completed; content where both have it.
  ///
  /// The first of two errors counts.
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

  /// Three states as one.
  public func combine<Second: Sendable, Third: Sendable, New: Sendable>(
    _ second: LoadingState<Second>, _ third: LoadingState<Third>,
    _ transform: (Content, Second, Third) throws -> New
  ) rethrows -> LoadingState<New> {
    try combine(second) { ($0, $1) }.combine(third) { try transform($0.0, $0.1, $1) }
  }

  /// Four states as one.
  public func combine<Second: Sendable, Third: Sendable, Fourth: Sendable, New: Sendable>(
    _ second: LoadingState<Second>, _ third: LoadingState<Third>, _ fourth: LoadingState<Fourth>,
    _ transform: (Content, Second, Third, Fourth) throws -> New
  ) rethrows -> LoadingState<New> {
    try combine(second, third) { ($0, $1, $2) }
      .combine(fourth) { try transform($0.0, $0.1, $0.2, $1) }
  }

  /// Five states as one.
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
