extension CacheRepository {
  /// Returns the present state of the cache, and then each later one.
  ///
  /// ```swift
  /// for await state in cars.observe() {
  ///   print(state.cache ?? [], state.isRefreshing, state.refreshError ?? "")
  /// }
  /// ```
  ///
  /// Observing a stale or missing cache fetches it, unless the source sets
  /// ``CacheDataSource/automaticallyRefresh`` to false. Without requirements no state comes until
  /// you set them. A reader that is a few hundred states behind misses the oldest of them.
  ///
  /// Observing begins with the first iteration, and goes on until the task is canceled or the
  /// iterator is released. The sequence and its iterators keep the repository, so you can observe one
  /// that nothing else keeps:
  ///
  /// ```swift
  /// for await state in evocation.cache(Car.self).observe() { show(state) }
  /// ```
  ///
  /// - Parameter forceRefresh: Whether to fetch at any age, or to join a fetch that runs.
  /// - Returns: The states; each iterator observes separately.
  public func observe(
    forceRefresh: Bool = false
  ) -> some ObservedSequence<CacheState<Source.Cache>> {
    states(forceRefresh: forceRefresh)
  }

  /// Calls back with the present state of the cache, and then with each later one.
  ///
  /// The calls come one after another. If an ``Evocation`` whose configuration has a queue created
  /// the repository, they come on that queue. The observation keeps the repository. They end when you
  /// cancel or release the observation. If you do that on the queue, no call comes after it.
  public func observe(
    forceRefresh: Bool = false,
    callback: @escaping @Sendable (CacheState<Source.Cache>) -> Void
  ) -> Evocation.Observation {
    .calling(callback, on: callbackQueue, with: states(forceRefresh: forceRefresh))
  }

  /// Each iterator observes until it is released, and keeps the repository until then.
  ///
  /// The repository keeps no iterator, only the buffer from which it reads.
  func states(forceRefresh: Bool) -> ObservedElements<CacheState<Source.Cache>> {
    ObservedElements {
      let number = CacheNumbers.next()
      let states = Broadcast<CacheEvent>.Events(
        buffer: Buffer(capacity: 256),
        observation: Evocation.Observation { self.unobserve(number) })
      await self.observe(number, states.buffer, forceRefresh: forceRefresh)
      return { await states.next()?.state(of: Source.Cache.self) }
    }
  }

  /// The present state, without observing it.
  ///
  /// It is nil without requirements, and while it is unknown, as before the first use. Evocation
  /// reads the content for observers only; without one, the state of an existing cache is
  /// ``CacheState/isReading``. The state may be newer than the last one that observers received.
  ///
  /// ```swift
  /// try await cars.refresh()
  /// print(cars.state?.refreshError ?? "fetched")
  /// ```
  public var state: CacheState<Source.Cache>? {
    guard let binding = try? binding() else { return nil }
    return binding.entry.known(binding.number, binding.client.policy)
  }

  func observe(_ observer: UInt64, _ buffer: Buffer, forceRefresh: Bool) async {
    presence?.follow()
    var read: CacheMachine<Source.Cache>.Event?
    let first = try? binding()
    if let first {
      await first.entry.load(first.client)
      read = await first.entry.readAtOnce(first.client)
    }
    // Requirements may have been set in the meantime, so one lock covers adding the observer and
    // reading the binding.
    let binding = bindings.withLock { state -> Binding? in
      state.observers[observer] = buffer
      return state.binding
    }
    guard let binding else { return showConflict(to: [buffer]) }
    binding.entry.observe(
      binding.number, observer, buffer: buffer,
      after: binding.entry === first?.entry ? read : nil)
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
