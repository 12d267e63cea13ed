internal import Foundation

/// The source of a registered model type's caches.
///
/// A fetch is a `find` of the remote repository. The local repository holds the cached models, and
/// Evocation observes it. `Evocation.cache(_:where:maxAge:options:)` creates a
/// repository of this source.
///
/// Your app names it in the type of a property:
///
/// ```swift
/// struct CarList {
///   let cars: any CacheProviding<ProxyCacheDataSource<Car>>
///
///   func show(carsOf year: Int) async throws -> [Car] {
///     cars.requirements = ["year": year]
///     return try await cars.value()
///   }
/// }
/// ```
///
/// - Fetched models replace the local models that match the criteria, or are added to them.
/// - With a limit, an offset or a cursor, the cache shows the models that the server returned, in the
///   server's order, as a list of one page does. They replace others only if the server says that no
///   more match.
/// - Models that your app writes through Evocation during a fetch stay as your app wrote them: the
///   fetch does not overwrite, remove or bring them back. Models that were written to the remote
///   repository alone are saved as the remote repository answered the write.
/// - Models that are not `Identifiable` cannot be matched with written ones. If your app writes
///   some of them during a fetch, Evocation fetches again, up to three times, and then saves.
/// - The find rule's timeout and retries apply to the fetch, where the rule's target is remote.
/// - From a remote repository that lists changes, a ``ChangesRepository``, Evocation requests only
///   what changed since the last fetch. The criteria must have no limit, offset or cursor, the
///   fetch must mirror into a ``TransactionalRepository``, and ``CacheLimits/size`` must be nil.
/// - A local repository that keeps a ledger, as the one on SQLite does, saves data and record in
///   one transaction.
/// - Evocation reads a local repository that is not observable again after each fetch.
public struct ProxyCacheDataSource<Model: Sendable>: CacheDataSource, PlainlyPrinted {
  /// The result of a fetch, and the position in the log of the app's writes when it began.
  public struct FetchResult: Sendable, PlainlyPrinted {
    /// The models, in the order of the answer; where changes are listed, the changed ones.
    package let models: [Model]
    let versions: [String?]
    /// The keys of which the answer says nothing.
    let unsaid: UnsaidKeys
    let attempts: Int
    let mark: WriteLog<Model>.Mark
    /// Whether they are all that match, as far as the remote repository says so.
    let isWhole: Bool
    /// The models to show in place of them, where there are unsent writes and they are a part.
    let shown: [Model]?
    /// The rest of the answer, where the remote repository lists changes.
    let changes: FetchedChanges?
  }

  /// How old the cache may be and still count as fresh.
  public let maxAge: Duration?

  /// How Evocation fetches, shows and keeps the cache.
  public let options: CacheOptions

  let evocation: Evocation
  /// The binding of the store that the source is bound to; nil while it is not bound, or without a
  /// store.
  private var binding: LocalBinding<Model>?
  private var isBound = false

  init(_ evocation: Evocation, maxAge: Duration?, options: CacheOptions) {
    self.evocation = evocation
    self.maxAge = maxAge
    self.options = options
  }

  /// The age after which states no longer show the cache; nil for any age.
  public var maxUsableAge: Duration? { options.maxUsableAge }

  /// How much Evocation keeps of the caches without observers.
  public var limits: CacheLimits { options.limits }

  /// Whether observing a stale or missing cache fetches it.
  public var automaticallyRefresh: Bool { options.automaticallyRefresh }

  /// The pause after which Evocation fetches an observed cache again; nil for never.
  public var refreshEvery: Duration? { options.refreshEvery }

  /// Whether there is a remote repository; also true for a model type that is not registered yet.
  public var canFetch: Bool { (try? proxy)?.wiring.hasRemote ?? true }

  /// The ledger in the local repository's store, or else the configuration's.
  public var ledger: (any FetchLedger)? {
    (binding ?? registered?.binding)?.transactional?.fetchLedger ?? evocation.environment.ledger
  }

  /// The model type's name with its module, and a question mark after it.
  public var tagPrefix: String { Self.tagPrefix }

  static var tagPrefix: String { "\(stableName(of: Model.self))?" }

  /// Returns the model type's name with its module, and the criteria.
  public func tag(for requirements: Criteria) -> String { tagPrefix + requirements.tag }

  /// Returns the fetched models; nil where they are only what changed.
  public func content(of fetched: FetchResult) -> [Model]? {
    fetched.changes?.since == nil ? fetched.models : nil
  }

  /// The proxy of the model, if its store is the one that the source is bound to.
  ///
  /// - Throws: ``EvocationError``, and `CancellationError` where the app has registered another
  ///   store, to which the cache is then bound.
  var proxy: Proxy<Model> {
    get throws {
      let proxy = try evocation.proxy(for: Model.self)
      guard isInPlace else { throw Cancellation.error() }
      return proxy
    }
  }

  /// The proxy's repositories, if their store is the one that the source is bound to.
  ///
  /// A save that waits for its turn calls this in its turn, because the app may have registered
  /// another store in the meantime.
  func wiring(of proxy: Proxy<Model>) throws -> Wiring<Model> {
    let wiring = proxy.wiring
    guard !isBound || !wiring.hasLocal || wiring.binding.store == binding?.store else {
      throw Cancellation.error()
    }
    return wiring
  }

  /// Returns the criteria with the service's parameters as such.
  func declared(_ criteria: Criteria) -> Criteria {
    criteria.declaring(registered?.wiring.parameters ?? [])
  }

  private var registered: Proxy<Model>? { try? evocation.proxy(for: Model.self) }
}

extension ProxyCacheDataSource {
  var store: StoreID? { (binding ?? registered?.binding)?.store }

  var recordedName: String? { (binding ?? registered?.binding)?.recordedName }

  // Of the present registration, which may have another binding of the same store.
  var liveSince: LiveStatus.Since? { isInPlace ? registered?.binding?.live.since : nil }

  var mirrors: Bool { options.removesMissing }

  var isInPlace: Bool { !isBound || binding?.store == registered?.binding?.store }

  var inPlace: ProxyCacheDataSource {
    var bound = self
    bound.binding = registered?.binding
    bound.isBound = true
    return bound
  }

  func known(_ record: FetchRecord, of tag: String) -> FetchRecord? {
    guard let proxy = registered, isInPlace else { return record }
    let wiring = proxy.wiring
    guard wiring.hasLocal else { return proxy.binding?.holds(record) == false ? nil : record }
    return wiring.known(record, of: tag)
  }

  // None while a chain has set the service and not yet the store, and while the cache is another
  // store's.
  var registration: Registration? {
    guard isInPlace, let wiring = registered?.wiring, wiring.hasLocal else { return nil }
    return wiring.registration
  }
}

extension ProxyCacheDataSource {
  /// Fetches from the remote repository.
  ///
  /// - Throws: Its errors, and ``EvocationError`` when the remote repository, or the registration
  ///   of the model, is missing, or when the remote repository cannot say that a list is whole.
  public func fetchFreshCache(_ requirements: Criteria) async throws -> FetchResult {
    let proxy = try proxy
    var request: ChangesRequest<Model>?
    let wiring = proxy.wiring
    try wiring.checkEnd(requirements, nil, of: proxy.model)
    if options.removesMissing, limits.size == nil, wiring.listsChanges(of: requirements) {
      let tag = tag(for: requirements)
      let held = try? await proxy.ledger.record(for: tag)
      request = ChangesRequest(requirements, since: held, in: wiring.binding)
    }
    let requirements = declared(requirements)
    let fetched = try await proxy.fetch(
      requirements, request, showsUnsent: requirements.isPart(of: Model.self))
    return FetchResult(
      models: fetched.models, versions: fetched.versions, unsaid: fetched.unsaid,
      attempts: fetched.attempts,
      mark: fetched.mark,
      isWhole: requirements.isWhole(
        fetched.models, of: fetched.values["totalCount"] as? Int),
      shown: fetched.shown,
      changes: request?.changes)
  }
}

/// An answer of the remote repository, and the position in the log of the app's writes before it.
struct ProxyFetch<Model: Sendable>: Sendable {
  let models: [Model]
  let values: [String: any Sendable]
  let versions: [String?]
  let unsaid: UnsaidKeys
  let attempts: Int
  let mark: WriteLog<Model>.Mark
  /// The models with unsent writes applied, if that was asked for and changes them.
  var shown: [Model]?
}

extension ProxyCacheDataSource.FetchResult: RetriedFetch {
  var leftOut: Int? { unsaid.leftOut.map(\.count) }
}

extension Proxy {
  /// How many times models without ids are fetched, because the app writes some in the meantime.
  private static var mostAttempts: Int { 3 }

  /// Fetches from the remote repository, with the find rule's timeout and retries where its target
  /// is remote.
  func fetch(
    _ criteria: Criteria, _ request: ChangesRequest<Model>? = nil, showsUnsent: Bool = false
  ) async throws -> ProxyFetch<Model> {
    // A fetch inside a write of this model would wait for that write before it saves.
    guard !WriteScope.isInside(line) else { throw EvocationError.nestedWrite(model: model) }
    guard !(Model.self is any Identifiable.Type) else {
      return try await ask(criteria, request, showsUnsent: showsUnsent)
    }
    for _ in 1..<Self.mostAttempts {
      // So that a write that has already begun does not count as one after the mark.
      try await inTurn(of: line.enterToSave().ticket) {}
      let fetched = try await ask(criteria)
      if !fetched.mark.written.isUnknown { return fetched }
    }
    return try await ask(criteria)
  }

  private func ask(
    _ criteria: Criteria, _ request: ChangesRequest<Model>? = nil, showsUnsent: Bool = false
  ) async throws -> ProxyFetch<Model> {
    let begun = Call(request.map { .changes($0) } ?? .read(Find.self, criteria), self)
    let mark = log.mark(in: begun.session, of: begun.wiring.registration)
    let call = await begun.following()
    let rule = wiring.strategy[.find]
    let isPatient = rule.target == .remote && rule.hasTimeoutOrRetry
    var (models, metadata) =
      isPatient
      ? await call.attemptWithRetries(.remote, .target, rule: rule)
      : await call.attempt(.remote, .target)
    let shown =
      showsUnsent && call.wiring.mayHaveUnsent
      ? await call.overlayUnsent(models, &metadata, mark: mark, timeout: nil) : nil
    if let error = metadata.error { throw error }
    return ProxyFetch(
      models: models, values: metadata.values, versions: metadata.versions,
      unsaid: unsaid(models, metadata.values), attempts: metadata.attempts, mark: mark,
      shown: shown)
  }
}

extension ProxyCacheDataSource: StoreCacheDataSource {
  /// Returns a stream of the local repository's models for the criteria: now, and after each
  /// change.
  public func observeCache(_ requirements: Criteria) -> AsyncThrowingStream<[Model], any Error> {
    observeStore(requirements).caches
  }

  /// Reads the models from the local repository.
  public func readCache(_ requirements: Criteria) async throws -> [Model]? {
    if let page = page(of: requirements) { return try await page.readCache(requirements) }
    return try await evocation.environment.unlessSignedOut("\(Model.self)") {
      let followed = try await proxy.followed(requirements, proxy.wiring)
      return try await local.find(followed?.criteria ?? requirements).value
    }
  }

  func readStore(_ requirements: Criteria) async throws -> StoreValue<[Model]>? {
    try await readCache(requirements).map { StoreValue(cache: $0) }
  }

  func observeStore(_ requirements: Criteria) -> StoreObservation<[Model]> {
    if let page = page(of: requirements) { return page.observeStore(requirements).ofCache }
    do {
      guard try local is any ObservableRepository<Model> else {
        return StoreObservation { tell in
          tell(.value(StoreValue(cache: try await local.find(requirements).value)))
        }
      }
      let (hub, origin) = try proxy.observationHub()
      let observer = try Observer(hub, origin, criteria: requirements, givesVersions: true)
      return StoreObservation(barrier: observer.barrier) { tell in
        var observer = observer
        while let observed = await observer.next() { tell(observed.storeEvent) }
      }
    } catch {
      return StoreObservation { _ in throw error }
    }
  }

  private var local: any Repository<Model> {
    get throws {
      let proxy = try proxy
      guard let local = try wiring(of: proxy).local else {
        throw EvocationError.missingRepository(.local, model: proxy.model)
      }
      return local
    }
  }
}

extension Observer.ObservedState {
  fileprivate var storeEvent: StoreEvent<[Model]> {
    if let error = result.error { return .failed(error) }
    if isUnchanged, let version { return .unchanged(version: version) }
    return .value(StoreValue(cache: result.data ?? [], version: version))
  }
}
