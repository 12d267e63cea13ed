import Dispatch

/// Cached data of one kind, which Evocation fetches, keeps, observes and refreshes.
///
/// ```swift
/// let cars = Evocation.shared.cache(Car.self, maxAge: .seconds(5 * 3600))
/// cars.requirements = ["year": 2002]
/// for await state in cars.observe() { show(state) }
/// ```
///
/// The **requirements** are the query, and their **tag** is the cache key. Keep the repository, or
/// observe it, for as long as you need its data: its fetches end with it. Repositories whose
/// requirements have the same tag, and that share a ledger, share one state: age, content and
/// running fetch. You can use a repository from any thread.
public final class CacheRepository<Source: CacheDataSource>: Sendable, PlainlyPrinted {
  typealias Buffer = CacheSubscribers<Source.Cache>.Buffer

  typealias Binding = CacheBinding<Source>

  struct State {
    var binding: Binding?
    var requirements: Source.Requirements?
    /// The requirements' tag, kept because the source must not be called under the lock.
    var tag: ByteText?
    var observers: [UInt64: Buffer] = [:]
    /// How many times requirements were set.
    var settings: UInt64 = 0
  }

  /// The source, which says how the cache is fetched, saved and observed.
  public let source: Source

  let time: CacheTime
  let bindings = Lock(State())
  private let givenLedger: any FetchLedger
  private let keepsPages: Bool
  private let onTrace: (@Sendable (Evocation.Trace) -> Void)?
  /// Whether the app is active and online, because polling pauses otherwise; nil where unknown.
  let presence: AppPresence?
  /// The queue of the observers' callbacks; nil for the task that observes.
  let callbackQueue: DispatchQueue?

  /// Creates a repository without requirements.
  ///
  /// - Parameters:
  ///   - source: How the cache is fetched, saved and observed.
  ///   - ledger: The record of when each query was last fetched, unless the source has one. The
  ///     default forgets everything when the process ends; ``UserDefaultsFetchLedger`` does not.
  ///   - clock: The clock that measures ages; a ``DateClock`` also sets the dates of fetches.
  ///   - onTrace: Receives a trace of each fetch and save that failed, named `refresh`.
  public convenience init(
    _ source: Source,
    ledger: any FetchLedger = InMemoryFetchLedger.shared,
    clock: any Clock<Duration> = ContinuousClock(),
    onTrace: (@Sendable (Evocation.Trace) -> Void)? = nil
  ) {
    self.init(source, ledger, time: CacheTime(clock), keepsPages: true, onTrace: onTrace)
  }

  init(
    _ source: Source, _ ledger: any FetchLedger, time: CacheTime, keepsPages: Bool,
    onTrace: (@Sendable (Evocation.Trace) -> Void)?, presence: AppPresence? = nil,
    callbackQueue: DispatchQueue? = nil
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
    // Nobody observes it any more, because iterators keep it.
    bindings.withLock { $0.binding }?.detach()
  }

  /// The requirements: the query whose data are cached; nil until you set it.
  ///
  /// With requirements of another tag, observers receive the states of that cache, and a refresh
  /// that callers wait for ends as canceled. With requirements of the same tag, observers keep
  /// their cache. Without requirements, observers stay, and receive nothing until you set
  /// requirements again.
  public var requirements: Source.Requirements? {
    get { bindings.withLock { $0.requirements } }
    set { set(newValue) }
  }

  /// The source's ledger, or else the one that the initializer received.
  public var ledger: any FetchLedger { source.ledger ?? givenLedger }

  private func set(_ requirements: Source.Requirements?) {
    let tag = requirements.map { ByteText(source.tag(for: $0)) }
    if let requirements, let binding = bindings.withLock({ $0.tag == tag ? $0.binding : nil }),
      replace(binding, for: requirements)
    {
      return
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

  /// Takes other requirements of the same tag; false when another tag was set in the meantime.
  private func replace(_ binding: Binding, for requirements: Source.Requirements) -> Bool {
    let new = Binding(
      entry: binding.entry, source: binding.source,
      client: client(binding.source, for: requirements), number: binding.number)
    // The clock is the app's, so it is called before the locks are taken.
    let now = time.now
    let (old, followups) = bindings.withLock {
      state -> (Binding?, [CacheEntry<Source.Cache>.Followup]) in
      guard let old = state.binding, old.number == new.number else { return (nil, []) }
      state.requirements = requirements
      state.settings += 1
      state.binding = new
      return (old, new.entry.replaceSource(new.number, new.client, at: now))
    }
    for followup in followups { followup() }
    return old != nil
  }

  private func client(
    _ source: Source, for requirements: Source.Requirements
  ) -> any CacheSource<Source.Cache> {
    CacheClient(source, requirements, isCut: !keepsPages, onTrace: onTrace, presence: presence) {
      [weak self] in self?.goOver()
    }
  }

  /// Binds all observers to the source's present store, where the source has another one now.
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

  /// The binding to the present requirements' entry; the first use creates it for all observers.
  ///
  /// - Throws: ``CacheError/requirementsNotSet(cache:)``,
  ///   ``CacheError/tagConflict(tag:source:other:)`` and
  ///   ``CacheError/intervalNotPositive(cache:)``.
  func binding() throws(CacheError) -> Binding {
    while true {
      if let binding = bindings.withLock({ $0.binding }) {
        if binding.isInPlace { return binding }
        goOver()
        continue
      }
      let (requirements, settings) = bindings.withLock { ($0.requirements, $0.settings) }
      guard let requirements else { throw .requirementsNotSet(cache: "\(Source.Cache.self)") }
      // The source and the ledger are called outside the lock.
      if let interval = source.refreshEvery, interval <= .zero {
        throw .intervalNotPositive(cache: "\(Source.Cache.self)")
      }
      let source = source.inPlace
      let client = client(source, for: requirements)
      let entry = try CacheRegistry.of(source.ledger ?? givenLedger).entry(
        source.tag(for: requirements), for: client, time: time)
      let binding = Binding(entry: entry, source: source, client: client)
      if let taken = take(binding, settings) { return taken }
    }
  }

  /// Takes a binding, or returns the one that was taken in the meantime; nil when requirements have
  /// changed.
  private func take(_ binding: Binding, _ settings: UInt64) -> Binding? {
    let now = binding.entry.time.now
    let (taken, followups) = bindings.withLock {
      state -> (Binding?, [CacheEntry<Source.Cache>.Followup]) in
      if let known = state.binding { return (known, []) }
      guard state.settings == settings else { return (nil, []) }
      state.binding = binding
      return (
        binding,
        binding.entry.attach(
          binding.number, binding.client, observers: state.observers, at: now)
      )
    }
    for followup in followups { followup() }
    return taken
  }
}

/// A repository's link to the entry of its tag.
///
/// A class, because copying generic values costs more than most calls.
final class CacheBinding<Source: CacheDataSource>: Sendable {
  let entry: CacheEntry<Source.Cache>
  /// The source, bound to its store where it has one that may be replaced.
  let source: Source
  /// What the repository gives the entry.
  let client: any CacheSource<Source.Cache>
  /// The number by which the entry knows the binding.
  ///
  /// Each binding has its own, because another thread may bind to the same entry again while this
  /// binding is detached. The detaching then leaves the new binding as it is.
  let number: UInt64

  init(
    entry: CacheEntry<Source.Cache>, source: Source, client: any CacheSource<Source.Cache>,
    number: UInt64 = CacheNumbers.next()
  ) {
    self.entry = entry
    self.source = source
    self.client = client
    self.number = number
  }

  /// Whether the source still has the store that it was bound to.
  var isInPlace: Bool { client.stored?.isInPlace ?? true }

  func detach() { entry.detach(number) }
}
