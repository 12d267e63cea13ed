extension AsyncSequence where Self: Sendable, Failure == Never {
  /// Gives the states with other content, as ``LoadingState/mapContent(_:)`` makes them.
  public func mapContent<Content: Sendable, New: Sendable>(
    _ transform: @escaping @Sendable (Content) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    observedMap { $0.mapContent(transform) }
  }

  /// Gives two loading states as one, as ``LoadingState/combine(_:_:)`` makes them.
  ///
  /// The first comes as soon as each of them has given one, and then one comes at each change. It
  /// ends when both have ended.
  public func combine<Content: Sendable, Other: Sendable, New: Sendable>(
    _ other: some AsyncSequence<LoadingState<Other>, Never> & Sendable,
    _ transform: @escaping @Sendable (Content, Other) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    LatestPairs(left: self, right: other, keepLeft: { $0 }, keepRight: { $0 })
      .observedMap { $0.combine($1, transform) }
  }

  /// Gives three loading states as one.
  public func combine<Content: Sendable, Second: Sendable, Third: Sendable, New: Sendable>(
    _ second: some AsyncSequence<LoadingState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<LoadingState<Third>, Never> & Sendable,
    _ transform: @escaping @Sendable (Content, Second, Third) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    combine(second) { ($0, $1) }.combine(third) { transform($0.0, $0.1, $1) }
  }

  /// Gives four loading states as one.
  public func combine<
    Content: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, New: Sendable
  >(
    _ second: some AsyncSequence<LoadingState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<LoadingState<Third>, Never> & Sendable,
    _ fourth: some AsyncSequence<LoadingState<Fourth>, Never> & Sendable,
    _ transform: @escaping @Sendable (Content, Second, Third, Fourth) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    combine(second, third) { ($0, $1, $2) }
      .combine(fourth) { transform($0.0, $0.1, $0.2, $1) }
  }

  /// Gives five loading states as one.
  public func combine<
    Content: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, Fifth: Sendable,
    New: Sendable
  >(
    _ second: some AsyncSequence<LoadingState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<LoadingState<Third>, Never> & Sendable,
    _ fourth: some AsyncSequence<LoadingState<Fourth>, Never> & Sendable,
    _ fifth: some AsyncSequence<LoadingState<Fifth>, Never> & Sendable,
    _ transform: @escaping @Sendable (Content, Second, Third, Fourth, Fifth) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    combine(second, third, fourth) { ($0, $1, $2, $3) }
      .combine(fifth) { transform($0.0, $0.1, $0.2, $0.3, $1) }
  }
}
