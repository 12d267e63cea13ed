extension CacheRepository {
  /// Gives the present state of the cache, and then each later one.
  ///
  /// ```swift
  /// for await state in cars.observe() {
  ///   print(state.cache ?? [], state.isRefreshing, state.refreshError ?? "")
  /// }
  /// ```
  ///
  /// A stale or missing cache is fetched when it is observed, unless the source turns that off by
  /// ``CacheDataSource/automaticallyRefresh``. Without requirements nothing comes until they are
  /// set. A reader that is a few hundred states behind gets only the last of them.
  ///
  /// Observing begins with the first iteration. The sequence ends when the repository goes away, or
  /// when the task is cancelled; it does not keep the repository.
  ///
  /// - Parameter forceRefresh: Whether to fetch whatever the age; a fetch that runs is joined.
  /// - Returns: The states; each iterator observes by itself.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<Source.Cache>> {
    states(forceRefresh: forceRefresh)
  }

  /// Calls back with the present state of the cache, and then with each later one.
  ///
  /// The callback is called on the configuration's queue if the repository was made by an
  /// ``Evocation`` that has one, one call after another. It ends when the observation is cancelled or
  /// released, or the repository goes away: where that is done on the queue, no call comes after it.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<Source.Cache>) -> Void
  ) -> Evocation.Observation {
    .calling(callback, on: callbackQueue, with: states(forceRefresh: forceRefresh))
  }

  func states(forceRefresh: Bool) -> CacheStates<Source> {
    CacheStates { [weak self] in
      guard let self else { return nil }
      return await CacheObserver(self, forceRefresh: forceRefresh)
    }
  }

  /// The present state, without observing it.
  ///
  /// Nil without requirements, and as long as it is not known, as before the first use. The content
  /// is read for observers only; without one, the state of an existing cache says that it
  /// ``CacheState/isReading``. The state may be newer than what observers have been shown.
  ///
  /// ```swift
  /// try await cars.refresh()
  /// print(cars.state?.refreshError ?? "fetched")
  /// ```
  public var state: CacheState<Source.Cache>? {
    guard let binding = try? binding() else { return nil }
    return binding.entry.known(binding.number, binding.client.policy)
  }

  /// The present state; nil without requirements, or while it is not shown.
  var present: CacheState<Source.Cache>? {
    guard let binding = try? binding() else { return nil }
    return binding.entry.present(binding.client.policy)
  }

  func observe(_ observer: UInt64, _ buffer: Buffer, forceRefresh: Bool) async {
    presence?.follow()
    var read: CacheEntry<Source>.ReadAtOnce?
    let first = try? binding()
    if let first {
      await first.entry.load(first.client)
      read = await first.entry.readAtOnce(first.client)
    }
    // Requirements may have been set meanwhile, so the observer is added and the binding read at
    // once.
    let binding = bindings.withLock { state -> Binding? in
      state.observers[observer] = buffer
      return state.binding
    }
    guard let binding else { return showConflict(to: [buffer]) }
    binding.entry.observe(
      binding.number, observer, buffer, readAtOnce: binding.entry === first?.entry ? read : nil)
    if forceRefresh { binding.entry.force(binding.client) }
  }

  func unobserve(_ observer: UInt64) {
    let (binding, buffer) = bindings.withLock { state in
      (state.binding, state.observers.removeValue(forKey: observer))
    }
    if let binding { binding.entry.unobserve(binding.number, observer) }
    withExtendedLifetime(buffer) {}
  }

  /// Shows observers the error that prevents a binding, if there are requirements.
  func showConflict(to buffers: some Sequence<Buffer>) {
    guard let requirements else { return }
    do throws(CacheError) {
      _ = try binding()
    } catch {
      let tag = source.tag(for: requirements)
      let event = CacheEvent(CacheState<Source.Cache>(.noCache, tag: tag, refreshError: error))
      for buffer in buffers { buffer.put(event) }
    }
  }
}
