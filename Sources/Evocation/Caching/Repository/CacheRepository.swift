/// Cached data of one kind, their age, and what is being done about it.
///
/// ```swift
/// let cars = Evocation.shared.cache(for: Car.self, maxAge: .seconds(5 * 3600))
/// cars.requirements = ["year": 2002]
/// for await state in cars.observe() { show(state) }
/// ```
///
/// Keep the repository for as long as its data are wanted: what it began ends with it. Repositories
/// whose requirements have one tag, and that share a ledger, share one state: age, content and
/// running fetch. Safe to use from any thread.
public final class CacheRepository<Source: CacheDataSource>: Sendable {
  typealias Letters = CacheAttachment<Source>.Letters

  typealias Place = CachePlace<Source>

  struct State {
    var place: Place?
    var requirements: Source.Requirements?
    /// The requirements' tag, because the source is not asked for it under the lock.
    var tag: ByteText?
    var observers: [UInt64: Letters] = [:]
    /// How often requirements were set.
    var settings: UInt64 = 0
  }

  /// How the cache is fetched, saved and observed.
  public let source: Source

  let number = CacheNumbers.next()
  let time: CacheTime
  let seating = Lock(State())
  private let givenLedger: any FetchLedger
  private let keepsPages: Bool
  private let onTrace: (@Sendable (Evocation.Trace) -> Void)?

  /// Makes a repository without requirements.
  ///
  /// - Parameters:
  ///   - source: How the cache is fetched, saved and observed.
  ///   - ledger: Where it is remembered when caches were fetched, unless the source has a ledger of
  ///     its own. The default forgets when the process ends; ``UserDefaultsFetchLedger`` does not.
  ///   - clock: The clock that caches age by; give a ``DateClock`` to date them too.
  ///   - onTrace: Is told of fetches and saves that failed, in a trace named `refresh`.
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
    _ onTrace: (@Sendable (Evocation.Trace) -> Void)?
  ) {
    self.source = source
    self.time = time
    givenLedger = ledger
    self.keepsPages = keepsPages
    self.onTrace = onTrace
  }

  deinit {
    let (place, observers) = seating.withLock { ($0.place, $0.observers) }
    place?.cell.detach(number)
    for mailbox in observers.values { mailbox.put(.end) }
  }

  /// What the cache is asked for; nil until it is set.
  ///
  /// With other requirements, those who observe are shown the other cache, and callers who wait are
  /// told that their refresh was cancelled. With requirements of the same tag nothing happens. Without
  /// any, those who observe stay, and are shown nothing until there are some again.
  public var requirements: Source.Requirements? {
    get { seating.withLock { $0.requirements } }
    set { set(newValue) }
  }

  /// Where the ledger is: the source's own, or the one that was given.
  public var ledger: any FetchLedger { source.ledger ?? givenLedger }

  private func set(_ requirements: Source.Requirements?) {
    let tag = requirements.map { ByteText(source.tag(for: $0)) }
    if let requirements, seating.withLock({ $0.place != nil && $0.tag == tag }) {
      let seat = seat(requirements)
      if reseat(seat, tag) { return }
    }
    // What is replaced is let go of after the lock, because that may end a cell.
    let (old, place, observers) = seating.withLock {
      state -> (Source.Requirements?, Place?, [Letters]) in
      let old = state.requirements
      state.requirements = requirements
      state.settings += 1
      guard state.tag != tag else { return (old, nil, []) }
      state.tag = tag
      defer { state.place = nil }
      return (old, state.place, Array(state.observers.values))
    }
    place?.cell.detach(number)
    if !observers.isEmpty { showConflict(to: observers) }
    withExtendedLifetime(old) {}
  }

  /// Takes other requirements of the same tag; false when there are requirements of another by now.
  private func reseat(_ seat: CacheSeat<Source>, _ tag: ByteText?) -> Bool {
    let (old, answers) = seating.withLock { state -> (Place?, [CacheCell<Source>.Answer]) in
      guard let place = state.place, state.tag == tag else { return (nil, []) }
      state.requirements = seat.requirements
      state.settings += 1
      state.place = Place(cell: place.cell, seat: seat)
      return (place, place.cell.reseat(number, seat))
    }
    for answer in answers { answer() }
    return old != nil
  }

  private func seat(_ requirements: Source.Requirements) -> CacheSeat<Source> {
    CacheSeat(source, requirements, isCut: !keepsPages, onTrace)
  }

  /// The present requirements' cell; it is found at the first use, with all who observe.
  ///
  /// - Throws: ``CacheError/requirementsNotSet(cache:)`` and
  ///   ``CacheError/tagConflict(tag:source:other:)``.
  func place() throws(CacheError) -> Place {
    while true {
      if let place = seating.withLock({ $0.place }) { return place }
      let (requirements, settings) = seating.withLock { ($0.requirements, $0.settings) }
      guard let requirements else { throw .requirementsNotSet(cache: "\(Source.Cache.self)") }
      // The source and the ledger are asked outside the lock.
      let tag = source.tag(for: requirements)
      let cell = try CacheScope.of(ledger).cell(tag, for: Source.self, time)
      let place = Place(cell: cell, seat: seat(requirements))
      if let taken = take(place, settings) { return taken }
    }
  }

  /// Takes a place, or gives the one that was taken meanwhile; nil when there are other requirements.
  private func take(_ place: Place, _ settings: UInt64) -> Place? {
    let (taken, answers) = seating.withLock { state -> (Place?, [CacheCell<Source>.Answer]) in
      if let known = state.place { return (known, []) }
      guard state.settings == settings else { return (nil, []) }
      state.place = place
      return (place, place.cell.attach(number, place.seat, state.observers))
    }
    for answer in answers { answer() }
    return taken
  }
}
