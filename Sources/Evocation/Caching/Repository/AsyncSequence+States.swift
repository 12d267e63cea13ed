extension AsyncSequence where Self: Sendable, Failure == Never {
  /// Returns the states with other content, as ``CacheState/convert(_:)`` does.
  ///
  /// The closure receives the content of the cache, nil when it is empty.
  public func convert<Cache: Sendable, New: Sendable>(
    _ transform: @escaping @Sendable (Cache?) -> New?
  ) -> some ObservedSequence<CacheState<New>> where Element == CacheState<Cache> {
    observedMap { $0.convert(transform) }
  }

  /// Returns the states of two caches as one, as ``CacheState/combine(_:_:)`` does.
  ///
  /// ```swift
  /// for await state in cars.observe().combine(owners.observe(), { ($0, $1) }) {
  ///   print(state.cache?.0 ?? [], state.cache?.1 ?? [], state.isRefreshing)
  /// }
  /// ```
  ///
  /// The first state comes as soon as each sequence has one, and then one comes at each change.
  /// Only one state says that a fetch has just ended. The sequence ends when both have ended.
  public func combine<Cache: Sendable, Other: Sendable, New: Sendable>(
    _ other: some AsyncSequence<CacheState<Other>, Never> & Sendable,
    _ transform: @escaping @Sendable (Cache, Other) -> New
  ) -> some ObservedSequence<CacheState<New>> where Element == CacheState<Cache> {
    latestPairs(self, other, keepLeft: { $0.settled }, keepRight: { $0.settled })
      .observedMap { $0.combine($1, transform) }
  }

  /// Returns the states of three caches as one.
  public func combine<Cache: Sendable, Second: Sendable, Third: Sendable, New: Sendable>(
    _ second: some AsyncSequence<CacheState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<CacheState<Third>, Never> & Sendable,
    _ transform: @escaping @Sendable (Cache, Second, Third) -> New
  ) -> some ObservedSequence<CacheState<New>> where Element == CacheState<Cache> {
    combine(second) { ($0, $1) }.combine(third) { transform($0.0, $0.1, $1) }
  }

  /// Returns the states of four caches as one.
  public func combine<
    Cache: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, New: Sendable
  >(
    _ second: some AsyncSequence<CacheState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<CacheState<Third>, Never> & Sendable,
    _ fourth: some AsyncSequence<CacheState<Fourth>, Never> & Sendable,
    _ transform: @escaping @Sendable (Cache, Second, Third, Fourth) -> New
  ) -> some ObservedSequence<CacheState<New>> where Element == CacheState<Cache> {
    combine(second, third) { ($0, $1, $2) }
      .combine(fourth) { transform($0.0, $0.1, $0.2, $1) }
  }

  /// Returns the states of five caches as one.
  public func combine<
    Cache: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, Fifth: Sendable,
    New: Sendable
  >(
    _ second: some AsyncSequence<CacheState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<CacheState<Third>, Never> & Sendable,
    _ fourth: some AsyncSequence<CacheState<Fourth>, Never> & Sendable,
    _ fifth: some AsyncSequence<CacheState<Fifth>, Never> & Sendable,
    _ transform: @escaping @Sendable (Cache, Second, Third, Fourth, Fifth) -> New
  ) -> some ObservedSequence<CacheState<New>> where Element == CacheState<Cache> {
    combine(second, third, fourth) { ($0, $1, $2, $3) }
      .combine(fifth) { transform($0.0, $0.1, $0.2, $0.3, $1) }
  }
}

extension AsyncSequence where Self: Sendable, Failure == Never {
  /// Returns the states with other content, as ``LoadingState/mapContent(_:)`` does.
  public func mapContent<Content: Sendable, New: Sendable>(
    _ transform: @escaping @Sendable (Content) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    observedMap { $0.mapContent(transform) }
  }

  /// Returns two loading states as one, as ``LoadingState/combine(_:_:)`` does.
  ///
  /// The first state comes as soon as each sequence has one, and then one comes at each change. The
  /// sequence ends when both have ended.
  public func combine<Content: Sendable, Other: Sendable, New: Sendable>(
    _ other: some AsyncSequence<LoadingState<Other>, Never> & Sendable,
    _ transform: @escaping @Sendable (Content, Other) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    latestPairs(self, other, keepLeft: { $0 }, keepRight: { $0 })
      .observedMap { $0.combine($1, transform) }
  }

  /// Returns three loading states as one.
  public func combine<Content: Sendable, Second: Sendable, Third: Sendable, New: Sendable>(
    _ second: some AsyncSequence<LoadingState<Second>, Never> & Sendable,
    _ third: some AsyncSequence<LoadingState<Third>, Never> & Sendable,
    _ transform: @escaping @Sendable (Content, Second, Third) -> New
  ) -> some ObservedSequence<LoadingState<New>>
  where Element == LoadingState<Content> {
    combine(second) { ($0, $1) }.combine(third) { transform($0.0, $0.1, $1) }
  }

  /// Returns four loading states as one.
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

  /// Returns five loading states as one.
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
