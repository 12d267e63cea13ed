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
    var observers: [UInt64: Letters] = [:]
  }

  /// How the cache is fetched, saved and observed.
  public let source: Source

  let number = CacheNumbers.next()
  let time: CacheTime
  let state = Lock(State())
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
    let (place, observers) = state.withLock { ($0.place, $0.observers) }
    place?.cell.detach(number)
    for mailbox in observers.values { mailbox.put(.end) }
  }

  /// What the cache is asked for; nil until it is set.
  ///
  /// With other requirements, those who observe are shown the other cache, and callers who wait are
  /// told that their refresh was cancelled. With requirements of the same tag nothing happens. Without
  /// any, those who observe stay, and are shown nothing until there are some again.
  public var requirements: Source.Requirements? {
    get { state.withLock { $0.requirements } }
    set { set(newValue) }
  }

  /// Where the ledger is: the source's own, or the one that was given.
  public var ledger: any FetchLedger { source.ledger ?? givenLedger }

  private func set(_ requirements: Source.Requirements?) {
    // What is replaced is let go of after the lock, because that may end a cell.
    let (old, observers) = state.withLock { state -> (Place?, [Letters]) in
      let tags = [requirements, state.requirements].map { $0.map { ByteText(source.tag(for: $0)) } }
      let isSame = tags[0] == tags[1]
      state.requirements = requirements
      if isSame {
        if let requirements, let place = state.place {
          let seat = CacheSeat(source, requirements, isCut: !keepsPages, onTrace)
          state.place = Place(cell: place.cell, seat: seat)
          place.cell.reseat(number, seat)
        }
        return (nil, [])
      }
      defer { state.place = nil }
      return (state.place, Array(state.observers.values))
    }
    old?.cell.detach(number)
    if !observers.isEmpty { showConflict(to: observers) }
  }

  /// The present requirements' cell; it is found at the first use, with all who observe.
  ///
  /// - Throws: ``CacheError/requirementsNotSet(cache:)`` and
  ///   ``CacheError/tagConflict(tag:source:other:)``.
  func place() throws(CacheError) -> Place {
    try state.withLock { (state) throws(CacheError) in
      if let place = state.place { return place }
      guard let requirements = state.requirements else {
        throw .requirementsNotSet(cache: "\(Source.Cache.self)")
      }
      let tag = source.tag(for: requirements)
      let cell = try CacheScope.of(ledger).cell(tag, for: Source.self, time)
      let seat = CacheSeat(source, requirements, isCut: !keepsPages, onTrace)
      let place = Place(cell: cell, seat: seat)
      cell.attach(number, place.seat, state.observers)
      state.place = place
      return place
    }
  }
}

/// Numbers that tell repositories apart in the cells that they share.
enum CacheNumbers {
  private static let last = Lock<UInt64>(0)

  static func next() -> UInt64 {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
