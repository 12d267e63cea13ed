import Foundation

extension LiveLink {
  /// How many changes wait for the commit that runs, so that memory holds two batches at most.
  private static var batchSize: Int { 1_000 }
  /// The shortest time between two commits; real time, because a flood does not wait for a clock.
  private static var interval: Duration { .milliseconds(16) }

  /// How long before the first connection a fetch may have begun, in seconds, for a service that does
  /// not say when it is connected.
  private static var beginning: TimeInterval { 10 }

  /// Follows one connection after another, until the task is canceled.
  func run(_ number: UInt64) async {
    while !Task.isCancelled {
      guard let live = proxy.wiring.live, let pace = pace(of: live),
        let attempt = try? await pace.enter()
      else { return }
      let (failure, stood) = await follow(live, number)
      noteLive(nil, by: number)
      if Task.isCancelled { return }
      let asked = (failure as? any ClassifiedError)?.retryAfter
      pace.leave(attempt, stood: stood, asked: asked)
      trace("its live connection has ended\(failure.map { ": \($0)" } ?? "")")
    }
  }

  /// Follows a connection to its end, and returns why it ended and how long it stood.
  ///
  /// Three tasks share the work: one reads, one saves what was read, and one fetches what was missed.
  private func follow(
    _ live: any LiveRepository<Model>, _ number: UInt64
  ) async -> (failure: (any Error)?, stood: Duration) {
    let mark = await mark()
    let connection = LiveConnection<Model>(
      number, signOuts: proxy.environment.signOuts.number, batchSize: Self.batchSize)
    let isFirst = noteConnection()
    await withTaskGroup { group in
      group.addTask {
        await self.read(live.liveChanges(since: mark), live, into: connection, isFirst: isFirst)
      }
      group.addTask { await self.save(connection) }
      group.addTask { await self.fetchMissed(connection) }
      // The first to end is the one that saves: the others go on until it has.
      await connection.ended.value(ifCancelled: ())
      group.cancelAll()
    }
    return connection.end(at: proxy.environment.time.now())
  }

  /// Reads the stream until its end.
  private func read(
    _ stream: AsyncThrowingStream<RemoteChanges<Model>, any Error>,
    _ live: any LiveRepository<Model>, into connection: LiveConnection<Model>, isFirst: Bool
  ) async {
    if !live.announcesConnection { stand(connection, missing: .untold(isFirst: isFirst)) }
    do {
      for try await changes in stream {
        let isGap = changes.isEmpty && changes.mark == nil
        stand(connection, missing: isGap ? .told : .nothing)
        if !isGap { await connection.batch.add(changes) }
      }
    } catch {
      connection.fail(error)
    }
    connection.batch.finish()
  }

  /// Notes that the connection stands, and what may have been missed.
  private func stand(_ connection: LiveConnection<Model>, missing: LiveConnection<Model>.Missing) {
    var date = proxy.environment.date()
    // What an observer fetches when it begins is as good as connected to such a service.
    if missing == .untold(isFirst: true) { date -= Self.beginning }
    connection.miss(missing, at: date)
    if connection.begin(at: proxy.environment.time.now()) {
      noteLive(proxy.environment.date(), by: connection.number)
    }
  }

  /// Saves what arrives, at most once in an interval, until the stream has ended.
  private func save(_ connection: LiveConnection<Model>) async {
    var last: ContinuousClock.Instant?
    while await connection.batch.arrives() {
      if let next = last?.advanced(by: Self.interval), next > .now {
        try? await Task.sleep(until: next, clock: .continuous)
      }
      do {
        try await save(connection.batch.take(), of: connection)
      } catch {
        connection.fail(error)
        break
      }
      last = .now
    }
    connection.ended.fulfil()
  }

  /// Saves changes with their mark in one transaction, in their turn among the app's writes.
  private func save(
    _ changes: LiveChanges<Model>, of connection: LiveConnection<Model>
  ) async throws {
    let mark = connection.mark(of: changes)
    let (removed, ids) = (changes.removed, connection.batch.removedIDs)
    let (models, versions) = changes.stored
    let stamp = mark.map(stamp)
    proxy.noteVersions(versions)
    try await proxy.line.run(proxy.line.enterToSave().ticket) {
      guard proxy.environment.signOuts.number == connection.signOuts else {
        throw EvocationError.signedOut(model: proxy.model)
      }
      var writes: [StoreWrite<Model>.Change] = []
      if !models.isEmpty { writes.append(.storeOrUpdate(models)) }
      if let removal = try await ids.removal(of: removed, in: local) { writes.append(removal) }
      if writes.isEmpty, stamp == nil { return }
      _ = try await local.land(
        StoreWrite(writes, stamp: stamp, source: .live, versions: versions))
      proxy.log.noteSent(models, removed: removed)
      if let mark { place.live.note(mark: mark) }
    }
  }
}

extension LiveLink {
  /// The tag under which the ledger keeps the service's mark.
  private var tag: String { proxy.tagPrefix + "live" }

  private var ledger: any FetchLedger { proxy.knownFetches(place).registry.ledger }

  /// The mark that the local repository has; nil if it has none.
  private func mark() async -> String? {
    guard place.keepsMarks else { return place.live.mark }
    let record = try? await ledger.record(for: tag)
    return record.flatMap(place.mark)
  }

  private func stamp(_ mark: String) -> FetchStamp {
    let record = FetchRecord(
      fetchedAt: proxy.environment.date(), source: LiveStatus.source, mark: mark,
      store: place.recordedName)
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
