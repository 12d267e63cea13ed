import Evocation
import EvocationHTTP
import EvocationLive
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

/// A service with a socket, as far as the sample needs one.
private struct LoggedService: Repository {
  struct Message: Sendable {
    var cars: [Car]
    var removedIDs: [String] = []
    var mark: String
  }

  final class Messages: Sendable {
    private let left: Lock<[Message]>

    init(_ messages: [Message]) { left = Lock(messages) }

    func next() async throws -> Message? {
      if let message = left.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return message }
      let never = AsyncStream<Never> { _ in }
      for await _ in never {}
      return nil
    }
  }

  struct Socket: Sendable {
    func messages(after mark: String?) -> Messages {
      let cars = (1...2).map { Car(id: $0, name: "datsun", origin: "Japan", year: 1980) }
      return Messages([
        Message(cars: cars, mark: "1"), Message(cars: [], removedIDs: ["1"], mark: "2"),
      ])
    }
  }

  let socket = Socket()

  func find(_ criteria: Criteria) async throws -> Response<[Car]> {
    Response([Car(id: 2, name: "datsun", origin: "Japan", year: 1980)])
  }
  func store(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func update(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
  func remove(_ models: [Car]) async throws -> Response<[Car]> { Response(models) }
}

extension LoggedService: LiveRepository {
  func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
    let messages = socket.messages(after: mark)
    return AsyncThrowingStream {
      try await messages.next().map { message in
        RemoteChanges(stored: message.cars, removed: message.removedIDs, mark: message.mark)
      }
    }
  }
}

/// The samples of the page on live changes, word for word.
@Suite(.patient) struct LivePageTests {
  private let evocation = Evocation()
  private let car = Car(id: 1, name: "Beetle", origin: "Germany", year: 1970)

  private func show(_ cars: [Car], badge: String) { #expect(cars.isEmpty && badge.isEmpty) }

  private func showWelcome() {}

  @Test func `a service of known events is registered as any other`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    let local = InMemoryRepository<Car>()
    let service = HTTPService(url)
    let cars = HTTPRepository<Car>(service, "cars", format: .pocketBase)
    try evocation.register(Car.self, remote: cars, local: local, strategy: .offlineFirst)
    evocation.live.start()
    #expect(cars.sendsLiveChanges)
    let watching = Task { await watch() }
    await Task.yield()
    watching.cancel()
    await watching.value
  }

  private func watch() async {
    let cache = evocation.cache(Car.self, where: \.origin == "Japan")
    for await state in cache.observe() {
      show(state.cache ?? [], badge: state.isLive ? "live" : "")
    }
  }

  @Test func `a service of one's own sends what its socket says`() async throws {
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: LoggedService())
      .repository(local: InMemoryRepository<Car>())
    var answers = evocation.observe(model: Car.self).makeAsyncIterator()
    while let result = await answers.next(), result.data?.map(\.id) != [2] {}
    #expect(await evocation.find(model: Car.self, rule: .localOnly).data?.count == 1)
  }

  @Test func `a background task does what is due, and a view shows how far it is`() async throws {
    evocation.register(for: Car.self).repository(remote: InMemoryRepository([car]))
      .repository(local: InMemoryRepository<Car>())
    if await evocation.firstSync(of: Car.self) == nil { showWelcome() }
    let progress = Progress(totalUnitCount: -1)
    let loading = Task { await evocation.prefetch(Car.self, progress: progress) }
    #expect(await loading.value.data == 1)
    #expect(progress.isFinished)
    #expect(await evocation.firstSync(of: Car.self) != nil)
    let result = await evocation.catchUp(deadline: .seconds(25))
    print(result.sent, "sent,", result.refreshed, "refreshed,", result.left, "left")
    #expect(result == CatchUp())
    let isDone = await evocation.catchUp(deadline: .seconds(25)).left == 0
    #expect(isDone)
  }

  @Test func `a refresh of all pages counts them`() async throws {
    evocation.register(for: Car.self).repository(remote: InMemoryRepository([car]))
      .repository(local: InMemoryRepository<Car>())
    let list = evocation.pagingCache(
      Car.self, pageSize: 20, options: .init(refreshes: .allPages))
    list.requirements = Criteria()
    let progress = Progress(totalUnitCount: -1)
    let refreshing = Task { try await list.cache.refresh(progress: progress) }
    #expect(try await refreshing.value == .successful)
    #expect(progress.isFinished)
  }

  @Test func `changes are models, ids and a mark`() {
    let changes =
      RemoteChanges(stored: [car], removed: ["7"], mark: "1042")
    #expect(changes.stored == [car])
  }

  @Test func `a test sends what it wants`() async throws {
    let cars = InMemoryRepository<Car>()
    let cache = evocation.cache(Car.self)
    cache.requirements = Criteria()
    let remote = RepositoryMock<Car>(sendsLiveChanges: true) { _ in [] }
    evocation.live.start()
    evocation.register(for: Car.self).repository(remote: remote).repository(local: cars)
    var states = cache.observe().makeAsyncIterator()
    _ = await states.next()
    await remote.liveStreams(1)
    remote.send(RemoteChanges(stored: [car], mark: "1"))
    while let state = await states.next(), state.cache?.count != 1 {}
    #expect(cache.state?.cache == [car])
  }

  @Test func `The status of what is followed`() async throws {
    let evocation = Evocation()
    try evocation.register(
      Car.self, remote: LoggedService(), local: InMemoryRepository<Car>(), strategy: .offlineFirst)
    evocation.live.start()
    let observation = evocation.observe(model: Car.self) { _ in }
    let task = Task {
      for await statuses in evocation.live.observeStatuses() {
        for status in statuses { print(status.model, status.phase, status.error as Any) }
      }
    }
    try await eventually("a connection") {
      evocation.live.statuses.contains { $0.phase == .connected }
    }
    evocation.live.reconnect()
    try await eventually("another connection") {
      evocation.live.statuses.contains { $0.phase == .connected }
    }
    task.cancel()
    withExtendedLifetime(observation) {}
  }
}
