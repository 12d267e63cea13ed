internal import Evocation
import Foundation

/// One subscription: follows a target until its task is canceled.
struct LiveRun<Model: Sendable>: Sendable {
  let link: LiveLink<Model>
  let target: LiveTarget<Model>
  /// The number by which the link knows it.
  let number: UInt64
  let gaps: LiveGaps
  private let lists = LiveLists()

  init(_ link: LiveLink<Model>, _ target: LiveTarget<Model>, number: UInt64) {
    (self.link, self.target, self.number) = (link, target, number)
    gaps = LiveGaps(chance: target.proxy.environment.chance)
  }

  /// How many changes wait for the commit that runs, so that memory holds two batches at most.
  private static var batchSize: Int { 1_000 }

  /// How long before the first connection a fetch may have begun, in seconds, for a service that does
  /// not say when it is connected.
  private static var beginning: TimeInterval { 10 }

  var proxy: Proxy<Model> { target.proxy }

  var binding: LocalBinding<Model> { target.binding }

  /// Follows one connection after another, until the task is canceled.
  ///
  /// Another task fetches what was missed, because that may take longer than a connection lasts.
  func run() async {
    guard let pace = link.pace(of: target) else { return }
    link.change(by: number) { $0.lackModels(false) }
    await withTaskGroup { group in
      group.addTask { await self.connect(at: pace) }
      group.addTask { await self.fetchMissed(at: pace) }
      group.addTask { await self.lists.fetch(by: self.proxy.environment.time) }
      await group.next()
      group.cancelAll()
    }
  }

  private func connect(at pace: LivePace) async {
    let credential = (target.live as? any SharedService)?.observeCredential { pace.wake() }
    defer { credential?.cancel() }
    var last: LiveEnd?
    while true {
      guard let attempt = try? await pace.enter() else { return }
      link.show(.connecting, by: number)
      let news = pace.news()
      let end = await follow(pause: last.map { pause(after: $0, at: pace) } ?? .zero)
      gaps.setConnected(false)
      link.change(by: number) { $0.disconnect() }
      if Task.isCancelled { return }
      last = end
      let reason = end.failure.map { ": \($0)" } ?? ""
      guard end.isRefusal else {
        let next = pace.leave(attempt, end)
        link.show(.waiting(until: date(in: next)), because: end.failure, by: number)
        trace("its live connection has ended\(reason)")
        continue
      }
      link.show(.refused, because: end.failure, by: number)
      trace("its service refuses a live connection, and is asked again much later\(reason)")
      await pace.wait(afterRefusal: end.asked, for: news)
    }
  }

  private func date(in pause: Duration) -> Date {
    proxy.environment.date().addingTimeInterval(pause / .seconds(1))
  }

  /// The longest time over which the devices that lost a connection together fetch what they missed.
  private static var spread: Duration { .seconds(45) }

  /// Returns how long to wait before fetching what was missed while there was no connection.
  ///
  /// A service that starts again loses all its connections at the same time. Where a service ends its
  /// streams often, each one is soon followed by the next, so the time is a part of how long it stood.
  private func pause(after end: LiveEnd, at pace: LivePace) -> Duration {
    guard !pace.wasWoken else { return .zero }
    let longest = end.isOrderly ? min(Self.spread, end.stood.multiplied(by: 0.25)) : Self.spread
    return longest.multiplied(by: proxy.environment.chance())
  }

  /// Follows a connection to its end, and returns why it ended and how long it stood.
  ///
  /// Two tasks share the work: one reads, and one saves what was read. `pause` is how long a fetch of what
  /// was missed before waits.
  private func follow(pause: Duration) async -> LiveEnd {
    let mark: String?
    do { mark = try await self.mark() } catch { return LiveEnd(failure: error) }
    let connection = LiveRunState<Model>(batchSize: Self.batchSize, pause: pause)
    let isFirst = link.countConnection()
    await withTaskGroup { group in
      group.addTask {
        await self.read(
          self.target.live.liveChanges(since: mark), into: connection, isFirst: isFirst)
      }
      group.addTask { await self.save(connection) }
      // The first to end is the one that saves: the other goes on until it has.
      await connection.ended.value(ifCancelled: ())
      group.cancelAll()
    }
    return connection.end(at: proxy.environment.time.now())
  }

  /// Reads the stream until its end.
  private func read(
    _ stream: AsyncThrowingStream<RemoteChanges<Model>, any Error>,
    into connection: LiveRunState<Model>, isFirst: Bool
  ) async {
    if !target.live.announcesConnection { stand(connection, missing: .unknown(isFirst: isFirst)) }
    do {
      for try await changes in stream {
        let isEmpty = changes.isEmpty && changes.mark == nil
        let isGap = isEmpty && changes.unreadable.isEmpty
        stand(connection, missing: isGap ? .announced : .nothing)
        if !changes.unreadable.isEmpty {
          lack(changes.unreadable, connection.batch.removedIDs)
        }
        if !isEmpty { await connection.batch.add(changes) }
      }
    } catch {
      connection.fail(error, isOfService: true)
    }
    connection.batch.finish()
  }

  /// Records that the connection stands, and what may have been missed.
  ///
  /// There are these cases of what was missed: the first element of a connection says whether something was
  /// while there was none; a service that says nothing may have gone on without this device; and later the
  /// service says that something is missing now.
  private func stand(_ connection: LiveRunState<Model>, missing: LiveRunState<Model>.Missing) {
    let (now, date) = (proxy.environment.time.now(), proxy.environment.date())
    let isNew = connection.begin(at: now)
    if !isNew { connection.recordSign() }
    // What an observer fetches when it begins is as good as connected to such a service.
    let begun = date.addingTimeInterval(-Self.beginning)
    switch missing {
    case .nothing: break
    case .unknown(let isFirst): link.change(by: number) { $0.miss(at: isFirst ? begun : date) }
    case .announced: link.change(by: number) { $0.miss(at: date) }
    }
    if isNew { link.change(by: number) { $0.connect(gap: $0.gap ?? begun) } }
    if missing != .nothing {
      if isNew {
        gaps.missWithoutConnection(at: now, pause: connection.pause)
      } else {
        gaps.miss(.init(isAll: true), at: now)
      }
    }
    if isNew {
      gaps.setConnected(true)
      link.show(.connected, by: number)
    }
  }

  /// Records that the service has sent models that cannot be read.
  ///
  /// What no model can have as its id may be any of them.
  private func lack(_ ids: [String], _ decoder: LiveIDDecoder<Model>) {
    let (now, date) = (proxy.environment.time.now(), proxy.environment.date())
    if ids.allSatisfy({ decoder.criteria($0) != nil }) {
      link.change(by: number) { $0.lackModels(true) }
      gaps.miss(.init(models: Set(ids)), at: now)
    } else {
      link.change(by: number) { $0.miss(at: date) }
      gaps.miss(.init(isAll: true), at: now)
    }
  }

  /// Saves what arrives, until the stream has ended; what arrives during a commit is the next one.
  private func save(_ connection: LiveRunState<Model>) async {
    while await connection.batch.arrives() {
      do {
        let changes = connection.batch.take()
        try await save(changes, removing: connection.batch.removedIDs)
      } catch {
        connection.fail(error)
        break
      }
    }
    connection.ended.fulfil()
  }

  /// Saves changes with their mark in one transaction, in their turn among the app's writes.
  ///
  /// What arrives after the user has signed out, or another service was registered, is not saved. If the
  /// store refuses a model, the others are saved.
  func save(_ changes: LiveChanges<Model>, removing ids: LiveIDDecoder<Model>) async throws {
    let stored = changes.stored(local: proxy.localKeys)
    let removed = changes.removed
    let refused = try await inTurn {
      let mark = gaps.mark(changes.mark)
      let stamp = mark.map(stamp)
      proxy.recordVersions(stored.versions)
      let removal = try await ids.removal(of: removed, in: target.local)
      let refused = try await write(stored, removal, stamp: stamp)
      proxy.log.recordSent(stored.models, removed: removed)
      if let mark { binding.live.record(mark: mark, of: target.registration) }
      if stamp != nil { target.registration.recordWritten(tag) }
      return refused
    }
    for error in refused {
      trace("the local store refuses what the service has sent, which is left out: \(error)")
    }
    lists.offer(stored.models, in: proxy.knownFetches(binding).registry, prefix: proxy.tagPrefix)
  }

  /// Writes changes, and returns the errors of the models that the store refuses.
  ///
  /// It refuses what contradicts its other models, such as a second one with a unique value. Then each
  /// model is written alone, so that the others arrive.
  private func write(
    _ stored: FetchedModels<Model>, _ removal: StoreWrite<Model>.Change?, stamp: FetchStamp?
  ) async throws -> [any Error] {
    func commit(_ changes: [StoreWrite<Model>.Change], _ stamp: FetchStamp? = nil) async throws {
      if changes.isEmpty, stamp == nil { return }
      _ = try await target.local.write(
        StoreWrite(
          changes, stamp: stamp, source: .live, versions: stored.versions, unsaid: stored.unsaid))
    }
    let rest = removal.map { [$0] } ?? []
    if stored.models.isEmpty {
      try await commit(rest, stamp)
      return []
    }
    do {
      try await commit([.storeOrUpdate(stored.models)] + rest, stamp)
      return []
    } catch  where Self.isRefusal(error) {
      var refused: [any Error] = []
      for model in stored.models {
        do { try await commit([.storeOrUpdate([model])]) } catch  where Self.isRefusal(error) {
          refused.append(error)
        }
      }
      // It refuses everything: it has a fault of its own.
      if refused.count == stored.models.count, refused.count > 1 { throw error }
      try await commit(rest, stamp)
      return refused
    }
  }

  /// Whether a store refuses a model for good; of any other error nothing is left out.
  private static func isRefusal(_ error: any Error) -> Bool {
    guard let error = error as? any ClassifiedError else { return false }
    return error.failureKind != .transient && error.failureScope == .write
  }

  /// Waits for its turn among the app's writes, unless the subscription ends before.
  private func inTurn<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await proxy.line.run(proxy.line.enterToSave().ticket) {
      guard link.isPresent(number) else { throw Cancellation.error() }
      return try await body()
    }
  }
}

extension LiveRun {
  /// The tag under which the ledger keeps the service's mark.
  private var tag: String { proxy.tagPrefix + "live" }

  private var ledger: any FetchLedger { proxy.knownFetches(binding).registry.ledger }

  /// Returns the mark that the local repository has of the registered service; nil if it has none.
  ///
  /// The mark of another one is erased: from now on the store gets this service's changes, and would lack
  /// what it claims.
  private func mark() async throws -> String? {
    guard binding.keepsMarks else {
      return binding.live.mark.flatMap { $0.registration === target.registration ? $0.text : nil }
    }
    guard let record = try? await ledger.record(for: tag) else { return nil }
    let isOwn =
      record.source == target.source && !target.registration.isForeign(record, of: tag)
    if isOwn {
      let mark = binding.mark(of: record)
      // Of an earlier launch: what was fetched before that date may lack something.
      if mark != nil { link.change(by: number) { $0.recall(gap: record.fetchedAt) } }
      return mark
    }
    try await inTurn { try await ledger.erase(tag: tag) }
    return nil
  }

  /// Returns the stamp of a mark; its date is that at which changes were last missed.
  private func stamp(_ mark: String) -> FetchStamp {
    var record = FetchRecord(
      fetchedAt: binding.live.gap ?? proxy.environment.date(), source: target.source, mark: mark,
      store: binding.recordedName)
    record.service = target.registration.name
    return FetchStamp(tag: tag, record: record, ledger: ledger)
  }

  func trace(_ failure: String) {
    let step = Evocation.Trace.Step(
      repository: .remote, role: .target, outcome: .failed(failure))
    proxy.environment.onEvent()?(Evocation.Trace(model: proxy.model, call: "live", steps: [step]))
  }
}

extension RemoteChanges {
  fileprivate var isEmpty: Bool { stored.isEmpty && removed.isEmpty }
}
