import Dispatch

/// Cached data of one kind: fetched, kept, observed and refreshed.
///
/// ```swift
/// let cars = Evocation.shared.cache(Car.self, maxAge: .seconds(5 * 3600))
/// cars.requirements = ["year": 2002]
/// for await state in cars.observe() { show(state) }
/// ```
///
/// Keep the repository for as long as its data are needed: its fetches and observations end with
/// it. Repositories whose requirements have the same tag, and that share a ledger, share one state:
/// age, content and running fetch. Safe to use from any thread.
public final class CacheRepository<Source: CacheDataSource>: Sendable {
  typealias Buffer = CacheSubscribers<Source>.Buffer

  typealias Binding = CacheBinding<Source>

  struct State {
    var binding: Binding?
    var requirements: Source.Requirements?
    /// The requirements' tag, kept because the source must not be called under the lock.
    var tag: ByteText?
    var observers: [UInt64: Buffer] = [:]
    /// How often requirements were set.
    var settings: UInt64 = 0
  }

  /// How the cache is fetched, saved and observed.
  public let source: Source

  let time: CacheTime
  let bindings = Lock(State())
  private let givenLedger: any FetchLedger
  private let keepsPages: Bool
  private let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// Whether somebody is there for whom it is kept up to date; nil where that is not known.
  let presence: AppPresence?
  /// Where observers' callbacks are called; nil for the task that observes.
  let callbackQueue: DispatchQueue?

  /// Makes a repository without requirements.
  ///
  /// - Parameters:
  ///   - source: How the cache is fetched, saved and observed.
  ///   - ledger: Records when caches were fetched, unless the source has a ledger. The default
  ///     forgets when the process ends; ``UserDefaultsFetchLedger`` does not.
  ///   - clock: The clock that caches age by; a ``DateClock`` also gives the dates of fetches.
  ///   - onTrace: Receives a trace named `refresh` of each fetch and save that failed.
  public convenience init(
    _ source: Source,
    ledger: any FetchLedger = InMemoryFetchLedger.shared,
    clock: any Clock<Duration> = ContinuousClock(),
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) {
    self.init(source, ledger, CacheTime(clock), keepsPages: true, onTrace)
  }

  init(
    _ source: Source, _ ledger: any FetchLedger, _ time: CacheTime, keepsPages: Bool,
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?, _ presence: AppPresence? = nil,
    _ callbackQueue: DispatchQueue? = nil
  ) {
    self.source = source
    self.presence = presence
    self.callbackQueue = callbackQueue
    self.time = time
    givenLedger = ledger
    self.keepsPages = keepsPages
    self.onTrace = onTrace
  }

  deinit {
    let (binding, observers) = bindings.withLock { ($0.binding, $0.observers) }
    binding?.detach()
    for buffer in observers.values { buffer.put(.end) }
  }

  /// What the cache is asked for; nil until it is set.
  ///
  /// With other requirements, observers are shown the other cache, and the refresh of callers that
  /// wait ends as cancelled. With requirements of the same tag nothing happens. Without any,
  /// observers stay, and are shown nothing until requirements are set again.
  public var requirements: Source.Requirements? {
    get { bindings.withLock { $0.requirements } }
    set { set(newValue) }
  }

  /// The ledger: the source's, or else the one that was given.
  public var ledger: any FetchLedger { source.ledger ?? givenLedger }

  private func set(_ requirements: Source.Requirements?) {
    let tag = requirements.map { ByteText(source.tag(for: $0)) }
    if let requirements, bindings.withLock({ $0.binding != nil && $0.tag == tag }) {
      let source = bindings.withLock { $0.binding }?.client.source ?? source
      let client = client(requirements, source)
      if replaceClient(client, tag) { return }
    }
    // Old values are released outside the lock, because that may end an entry.
    let (old, binding, observers) = bindings.withLock {
      state -> (Source.Requirements?, Binding?, [Buffer]) in
      let old = state.requirements
      state.requirements = requirements
      state.settings += 1
      guard state.tag != tag else { return (old, nil, []) }
      state.tag = tag
      defer { state.binding = nil }
      return (old, state.binding, Array(state.observers.values))
    }
    binding?.detach()
    if !observers.isEmpty { showConflict(to: observers) }
    withExtendedLifetime(old) {}
  }

  /// Takes other requirements of the same tag; false when those of another tag were set meanwhile.
  private func replaceClient(_ client: CacheClient<Source>, _ tag: ByteText?) -> Bool {
    // The clock is the app's, so it is asked before the locks are taken.
    let now = time.now
    let (old, followups) = bindings.withLock { state -> (Binding?, [CacheEntry<Source>.Followup]) in
      guard let binding = state.binding, state.tag == tag else { return (nil, []) }
      state.requirements = client.requirements
      state.settings += 1
      state.binding = Binding(entry: binding.entry, client: client, number: binding.number)
      return (binding, binding.entry.replaceClient(binding.number, client, at: now))
    }
    for followup in followups { followup() }
    return old != nil
  }

  private func client(
    _ requirements: Source.Requirements, _ source: Source
  ) -> CacheClient<Source> {
    CacheClient(source, requirements, isCut: !keepsPages, onTrace, presence) { [weak self] in
      self?.goOver()
    }
  }

  /// Goes over to the store that the source has now, with all observers, where it has another.
  private func goOver() {
    guard let binding = bindings.withLock({ $0.binding }), !binding.isInPlace else { return }
    let observers = bindings.withLock { state -> [Buffer] in
      guard state.binding === binding else { return [] }
      state.binding = nil
      state.settings += 1
      return Array(state.observers.values)
    }
    binding.detach()
    if !observers.isEmpty { showConflict(to: observers) }
  }

  /// The binding to the present requirements' entry, made at the first use for all observers.
  ///
  /// - Throws: ``CacheError/requirementsNotSet(cache:)``,
  ///   ``CacheError/tagConflict(tag:source:other:)`` and ``CacheError/intervalNotPositive(cache:)``.
  func binding() throws(CacheError) -> Binding {
    while true {
      if let binding = bindings.withLock({ $0.binding }) {
        if binding.isInPlace { return binding }
        goOver()
        continue
      }
      let (requirements, settings) = bindings.withLock { ($0.requirements, $0.settings) }
      guard let requirements else { throw .requirementsNotSet(cache: "\(Source.Cache.self)") }
      // The source and the ledger are asked outside the lock.
      if let interval = source.refreshEvery, interval <= .zero {
        throw .intervalNotPositive(cache: "\(Source.Cache.self)")
      }
      let client = client(requirements, source.inPlace)
      let tag = source.tag(for: requirements)
      let entry = try CacheRegistry.of(client.source.ledger ?? givenLedger).entry(
        tag, in: client.placed?.store, for: Source.self, time)
      let binding = Binding(entry: entry, client: client)
      if let taken = take(binding, settings) { return taken }
    }
  }

  /// Takes a binding, or gives the one that was taken meanwhile; nil when requirements have
  /// changed.
  private func take(_ binding: Binding, _ settings: UInt64) -> Binding? {
    let now = binding.entry.time.now
    let (taken, followups) = bindings.withLock {
      state -> (Binding?, [CacheEntry<Source>.Followup]) in
      if let known = state.binding { return (known, []) }
      guard state.settings == settings else { return (nil, []) }
      state.binding = binding
      return (
        binding, binding.entry.attach(binding.number, binding.client, state.observers, at: now)
      )
    }
    for followup in followups { followup() }
    return taken
  }
}

/// A repository's link to the entry of its tag, with the client that it brings.
///
/// A class, because copying generic values costs more than most calls.
final class CacheBinding<Source: CacheDataSource>: Sendable {
  let entry: CacheEntry<Source>
  let client: CacheClient<Source>
  /// The number by which the entry knows it.
  ///
  /// Each binding has its own: one that is given up while another thread binds to the same entry again
  /// takes nothing away from the new one.
  let number: UInt64

  init(
    entry: CacheEntry<Source>, client: CacheClient<Source>, number: UInt64 = CacheNumbers.next()
  ) {
    self.entry = entry
    self.client = client
    self.number = number
  }

  /// Whether the source still has the store that it was bound to.
  var isInPlace: Bool { client.placed?.isInPlace ?? true }

  func detach() { entry.detach(number) }
}
