internal import Evocation
import Foundation

/// One subscription: follows a target until its task is canceled.
struct LiveRun<Model: Sendable>: Sendable {
  let link: LiveLink<Model>
  let target: LiveTarget<Model>
  /// The number by which the link knows it.
  let number: UInt64

  init(_ link: LiveLink<Model>, _ target: LiveTarget<Model>, number: UInt64) {
    (self.link, self.target, self.number) = (link, target, number)
  }

  /// How many changes wait for the commit that runs, so that memory holds two batches at most.
  private static var batchSize: Int { 1_000 }

  /// How long before the first connection a fetch may have begun, in seconds, for a service that does
  /// not say when it is connected.
  private static var beginning: TimeInterval { 10 }

  var proxy: Proxy<Model> { target.proxy }

  var binding: LocalBinding<Model> { target.binding }

  /// Follows one connection after another, until the task is canceled.
  func run() async {
    guard let pace = link.pace(of: target) else { return }
    let credential = (target.live as? any SharedService)?.observeCredential { pace.wake() }
    defer { credential?.cancel() }
    while let attempt = try? await pace.enter() {
      let news = pace.news()
      let end = await follow(at: pace)
      link.setLive(nil, by: number)
      if Task.isCancelled { return }
      let reason = end.failure.map { ": \($0)" } ?? ""
      guard end.isRefusal else {
        pace.leave(attempt, stood: end.stood, asked: end.asked)
        trace("its live connection has ended\(reason)")
        continue
      }
      trace("its service refuses a live connection, and is asked again much later\(reason)")
      await pace.wait(afterRefusal: end.asked, for: news)
    }
  }

  /// Follows a connection to its end, and returns why it ended and how long it stood.
  ///
  /// Three tasks share the work: one reads, one saves what was read, and one fetches what was missed.
  private func follow(at pace: LivePace) async -> LiveEnd {
    let mark: String?
    do { mark = try await self.mark() } catch { return LiveEnd(failure: error) }
    let connection = LiveRunState<Model>(batchSize: Self.batchSize)
    let isFirst = link.countConnection()
    await withTaskGroup { group in
      group.addTask {
        await self.read(
          self.target.live.liveChanges(since: mark), into: connection, isFirst: isFirst)
      }
      group.addTask { await self.save(connection) }
      group.addTask { await self.fetchMissed(connection, at: pace) }
      // The first to end is the one that saves: the others go on until it has.
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
        let isGap = changes.isEmpty && changes.mark == nil
        stand(connection, missing: isGap ? .announced : .nothing)
        if !isGap { await connection.batch.add(changes) }
      }
    } catch {
      connection.fail(error, isOfService: true)
    }
    connection.batch.finish()
  }

  /// Records that the connection stands, and what may have been missed.
  private func stand(_ connection: LiveRunState<Model>, missing: LiveRunState<Model>.Missing) {
    var date = proxy.environment.date()
    // What an observer fetches when it begins is as good as connected to such a service.
    if missing == .unknown(isFirst: true) { date -= Self.beginning }
    connection.miss(missing, at: date)
    if connection.begin(at: proxy.environment.time.now()) {
      link.setLive(proxy.environment.date(), by: number)
    }
  }

  /// Saves what arrives, until the stream has ended; what arrives during a commit is the next one.
  private func save(_ connection: LiveRunState<Model>) async {
    while await connection.batch.arrives() {
      do {
        try await save(connection.batch.take(), of: connection)
      } catch {
        connection.fail(error)
        break
      }
    }
    connection.ended.fulfil()
  }

  /// Saves changes with their mark in one transaction, in their turn among the app's writes.
  ///
  /// What arrives after the user has signed out, or another service was registered, is not saved.
  private func save(
    _ changes: LiveChanges<Model>, of connection: LiveRunState<Model>
  ) async throws {
    let mark = connection.mark(of: changes)
    let (removed, ids) = (changes.removed, connection.batch.removedIDs)
    let stored = changes.stored(local: proxy.localKeys)
    let stamp = mark.map(stamp)
    try await inTurn {
      proxy.recordVersions(stored.versions)
      var writes: [StoreWrite<Model>.Change] = []
      if !stored.models.isEmpty { writes.append(.storeOrUpdate(stored.models)) }
      if let removal = try await ids.removal(of: removed, in: target.local) {
        writes.append(removal)
      }
      if writes.isEmpty, stamp == nil { return }
      _ = try await target.local.write(
        StoreWrite(
          writes, stamp: stamp, source: .live, versions: stored.versions, unsaid: stored.unsaid))
      proxy.log.recordSent(stored.models, removed: removed)
      if let mark { binding.live.record(mark: mark, of: target.registration) }
      if stamp != nil { target.registration.recordWritten(tag) }
    }
  }

  /// Waits for its turn among the app's writes, unless the subscription ends before.
  private func inTurn(_ body: () async throws -> Void) async throws {
    try await proxy.line.run(proxy.line.enterToSave().ticket) {
      guard link.isPresent(number) else { throw Cancellation.error() }
      try await body()
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
    if isOwn { return binding.mark(of: record) }
    try await inTurn { try await ledger.erase(tag: tag) }
    return nil
  }

  private func stamp(_ mark: String) -> FetchStamp {
    var record = FetchRecord(
      fetchedAt: proxy.environment.date(), source: target.source, mark: mark,
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
