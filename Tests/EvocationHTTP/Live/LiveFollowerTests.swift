import Evocation
import EvocationHTTP
import Foundation
import TestTraits
import Testing
import TransportSuite

/// One reader of a stream.
@Suite(.patient) struct LiveFollowerTests {
  @Test func `A format without a stream sends no changes, and says so`() async throws {
    let cars = HTTPRepository<Thing>(try EventService().service(), "cars")
    #expect(!cars.sendsLiveChanges)
    #expect(cars.announcesConnection)
    let error = await Changes(cars).error
    #expect(error?.code == .misconfigured)
    #expect(
      error?.description
        == "The HTTP configuration contradicts itself: the service sends changes, and format.live "
        + "is nil.")
    #expect(
      HTTPRepository<Thing>(try EventService().service(), "cars", format: .pocketBase)
        .sendsLiveChanges)
  }

  @Test func `A format that contradicts itself is the error of its streams`() async throws {
    var format = HTTPFormat.live(.events(path: "events/{id}"))
    #expect(
      await Changes(HTTPRepository<Thing>(try EventService().service(), "cars", format: format))
        .error?.code == .misconfigured)
    format.live = .events(path: "events")
    format.live?.longestSilence = .zero
    #expect(
      await Changes(HTTPRepository<Thing>(try EventService().service(), "cars", format: format))
        .error?.reason == "live.longestSilence allows no event; raise it")
    format.live?.longestSilence = .seconds(1)
    format.live?.greetingTimeout = .seconds(-1)
    #expect(
      HTTPRepository<Thing>(try EventService().service(), "cars", format: format)
        .configurationError?.reason == "live.greetingTimeout allows no greeting; raise it")
    format.live?.greetingTimeout = .seconds(1)
    format.live?.maximumEventSize = 0
    #expect(
      HTTPRepository<Thing>(try EventService().service(), "cars", format: format)
        .configurationError?.reason == "live.maximumEventSize allows no event; raise it")
    format.live = .init(.init("GET IT", "events")) { _ in nil }
    #expect(
      HTTPRepository<Thing>(try EventService().service(), "cars", format: format)
        .configurationError?.reason == "a route of live has no valid method; use one such as GET")
  }

  @Test func `A stream that is canceled before it is read opens nothing`() async throws {
    let server = EventService()
    let cars = HTTPRepository<Thing>(
      try server.service(), "cars", format: .live(.events(path: "events")))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for try await _ in cars.liveChanges(since: nil) {}
    }
    _ = await failure { try await task.value }
    #expect(server.connections.elements.isEmpty)
  }

  @Test @MainActor func `Models are decoded away from the main actor`() async throws {
    let server = EventService()
    let threads = Record<Bool>()
    var format = HTTPFormat.live(.events(path: "events"))
    format.decoder = {
      threads.append(Thread.isMainThread)
      return JSONDecoder()
    }
    let cars = HTTPRepository<Thing>(try server.service(), "cars", format: format)
    var iterator = cars.liveChanges(since: nil).makeAsyncIterator()
    _ = try await iterator.next()
    try await server.connection().send("stored", #"{"path": "cars", "model": {"id": 1}}"#)
    #expect(try await iterator.next()?.stored.map(\.id) == [1])
    #expect(!threads.elements.isEmpty && !threads.elements.contains(true))
  }
}
