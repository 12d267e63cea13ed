import Evocation
import EvocationTesting
import Fixtures
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

@testable import EvocationHTTP

/// What a repository makes of a transport of an app's own, whatever that does.
@Suite(.patient) struct HTTPTransportTests {
  private static let carText = Data(
    #"""
    [{"id": 1, "name": "a", "cylinders": 4, "displacement": 1, "weight": 1, "acceleration": 1,
      "year": 1999, "origin": "Europe"}]
    """#.utf8
  )

  private func cars(
    _ change: (inout Setup) -> Void = { _ in },
    _ send: @escaping @Sendable (HTTPTransportRequest) async throws -> HTTPTransportResponse
  ) throws -> HTTPRepository<Car> {
    var configuration = Setup()
    configuration.transport = HandMade(answer: send)
    change(&configuration)
    let url = try #require(URL(string: "https://example.com"))
    return HTTPRepository(at: url, "cars", configuration)
  }

  @Test(arguments: [1, 2, 7, 64, 100_000])
  func `A body comes in pieces of any size, also of none`(size: Int) async throws {
    let cars = try cars { request in
      #expect(request.method == "GET")
      #expect(request.url.absoluteString == "https://example.com/cars")
      #expect(request.headers["Accept"] == "application/json")
      #expect(request.body == nil)
      return HTTPTransportResponse(
        status: 200, headers: ["X-Total-COUNT": "1", "a": "1", "A": "1"],
        body: Pieces(Self.carText, size: size)
      )
    }
    let answer = try await cars.find(Criteria())
    #expect(answer.value.map(\.id) == [1])
    let headers = answer.metadata["headers"] as? [String: String]
    #expect(headers == ["x-total-count": "1", "a": "1, 1"])
  }

  @Test func `A transport's errors are named with method and address, and a kind`() async throws {
    struct Odd: Error {}
    let errors: [(any Error, HTTPError.Code, FailureKind)] = [
      (HTTPError(.refused), .refused, .transient),
      (HTTPError(.malformed, reason: "it is not HTTP"), .malformed, .transient),
      (HTTPError(.untrusted), .untrusted, .permanent),
      (URLError(.timedOut), .timedOut, .transient),
      (URLError(.cannotFindHost), .unreachable, .transient),
      (URLError(.badServerResponse), .connectionLost, .transient),
      (Odd(), .connectionLost, .transient),
      (CancellationError(), .connectionLost, .transient),
    ]
    for (error, code, kind) in errors {
      for isInBody in [false, true] {
        let cars = try cars { _ in
          guard isInBody else { throw error }
          return HTTPTransportResponse(
            status: 200, headers: [:], body: Pieces(Self.carText, size: 10, error: error))
        }
        let thrown = await failure { try await cars.storeOne(car(1)) } as? HTTPError
        #expect(thrown?.code == code, "\(error)")
        #expect(thrown?.failureKind == kind)
        #expect(thrown?.method == "POST")
        #expect(thrown?.url?.path() == "/cars")
      }
    }
  }

  @Test
  func `A write whose connection was lost is sent once more, where the service knows its key`()
    async throws
  {
    let ways: [HTTPFormat.Idempotency?] = [
      .key("Idempotency-Key"), .sent("Idempotency-Key"), nil,
    ]
    for way in ways {
      let isKnown = way == .key("Idempotency-Key")
      for code: HTTPError.Code in [.connectionLost, .refused, .malformed] {
        let keys = Record<String?>()
        let cars = try cars({ $0.idempotency = way }) { request in
          keys.append(request.headers["Idempotency-Key"])
          #expect(request.isRepeatable == isKnown)
          throw HTTPError(code)
        }
        let error = await failure { try await cars.storeOne(car(1)) } as? HTTPError
        #expect(error?.code == code)
        #expect(keys.elements.count == (isKnown && code == .connectionLost ? 2 : 1))
        #expect(Set(keys.elements).count == 1)
      }
    }
  }

  @Test func `A transport that neither answers nor heeds a cancellation is given up`() async throws
  {
    let clock = ManualClock()
    let never = Promise<Void>()
    let cars = try cars({ $0.clock = clock }) { _ in
      await never.value
      throw HTTPError(.refused)
    }
    let late = Task { try await cars.find(Criteria()) }
    await clock.sleeps(1)
    clock.advance(by: .seconds(30))
    await #expect(throws: HTTPError.self) { try await late.value }
    let cancelled = Task { try await cars.find(Criteria()) }
    await clock.sleeps(2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    never.fulfil(())
  }

  @Test func `A body that neither goes on nor heeds a cancellation is given up`() async throws {
    let clock = ManualClock()
    let never = Promise<Void>()
    let cars = try cars({ $0.clock = clock }) { _ in
      HTTPTransportResponse(
        status: 200, headers: [:], body: Pieces(Self.carText, size: 10, wait: never))
    }
    let late = Task { try await cars.find(Criteria()) }
    await clock.sleeps(1)
    clock.advance(by: .seconds(30))
    let error = await failure { try await late.value } as? HTTPError
    #expect(error?.code == .timedOut)
    let cancelled = Task { try await cars.find(Criteria()) }
    await clock.sleeps(2)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    never.fulfil(())
  }

  @Test func `A body that is too large is let go, and not read on`() async throws {
    let read = Record<Int>()
    let owner = Record<Weak>()
    let cars = try cars({ $0.maximumResponseSize = 25 }) { _ in
      let body = Pieces(Self.carText, size: 10, read: read)
      owner.append(Weak(body.owner))
      return HTTPTransportResponse(status: 200, headers: [:], body: body)
    }
    let error = await failure { try await cars.find(Criteria()) } as? HTTPError
    #expect(error?.code == .tooLarge)
    #expect(read.elements.count == 3)
    try await eventually("the body to be let go") { owner.elements.allSatisfy { $0.object == nil } }
  }

  @Test func `A body that nobody asks for is let go`() async throws {
    let read = Record<Int>()
    let cars = try cars { _ in
      HTTPTransportResponse(
        status: 200, headers: ["Content-Length": "\(Int64.max)"],
        body: Pieces(Self.carText, size: 10, read: read)
      )
    }
    let error = await failure { try await cars.find(Criteria()) } as? HTTPError
    #expect(error?.code == .tooLarge)
    #expect(read.elements.isEmpty)
  }

  @Test func `A client that an app has is a transport in a few lines`() async throws {
    let cars = try cars({ $0.transport = PoolTransport(pool: Pool()) }) { _ in
      throw HTTPError(.refused)
    }
    #expect(try await cars.find(Criteria()).value == [])
  }

  @Test func `A transport is told the timeout, the sizes, the body and all fields, one name once`()
    async throws
  {
    let cars = try cars({
      $0.timeout = .seconds(7)
      $0.maximumResponseSize = 1234
      $0.headers = ["accept": "application/vnd.cars+json", "X-Line": "a\r\nb"]
      $0.authorization = { _ in "Bearer a" }
    }) { request in
      #expect(request.timeout == .seconds(7))
      #expect(request.maximumBodySize == 1234)
      #expect(request.body?.isEmpty == false)
      #expect(request.headers["accept"] == "application/vnd.cars+json")
      #expect(request.headers["Accept"] == nil)
      #expect(request.headers["X-Line"] == "ab")
      #expect(request.headers["Authorization"] == "Bearer a")
      #expect(request.headers["Content-Type"] == "application/json")
      return HTTPTransportResponse(status: 201, headers: [:], body: Pieces(Data(), size: 1))
    }
    #expect(try await cars.storeOne(car(1)).value == car(1))
  }
}

struct PoolTransport: HTTPTransport {
  let pool: Pool

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    let answer = try await pool.send(request.method, request.url, request.headers, request.body)
    return HTTPTransportResponse(
      status: answer.status, headers: answer.headers, body: answer.pieces
    )
  }
}

/// Any client that an app may have.
struct Pool: Sendable {
  func send(
    _ method: String, _ url: URL, _ headers: [String: String], _ body: Data?
  ) async throws -> (
    status: Int, headers: [String: String], pieces: AsyncThrowingStream<Data, any Error>
  ) {
    let pieces = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data(#"["#.utf8))
      continuation.yield(Data(#"]"#.utf8))
      continuation.finish()
    }
    return (200, ["Content-Type": "application/json"], pieces)
  }
}

private struct HandMade: HTTPTransport {
  let answer: @Sendable (HTTPTransportRequest) async throws -> HTTPTransportResponse

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    try await answer(request)
  }
}

private final class Owner: Sendable {}

private struct Weak: Sendable {
  weak let object: Owner?

  init(_ object: Owner) {
    self.object = object
  }
}

/// A body in pieces, with an empty one between any two.
private struct Pieces: AsyncSequence, Sendable {
  let owner = Owner()
  private let data: Data
  private let size: Int
  private let error: (any Error)?
  private let wait: Promise<Void>?
  private let read: Record<Int>?

  init(
    _ data: Data, size: Int, error: (any Error)? = nil, wait: Promise<Void>? = nil,
    read: Record<Int>? = nil
  ) {
    (self.data, self.size, self.error, self.wait, self.read) = (data, size, error, wait, read)
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(pieces: self)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let pieces: Pieces
    private var start = 0
    private var isEmptyNext = false

    fileprivate init(pieces: Pieces) {
      self.pieces = pieces
    }

    mutating func next() async throws -> Data? {
      isEmptyNext.toggle()
      if !isEmptyNext { return Data() }
      guard start < pieces.data.count else {
        await pieces.wait?.value
        if let error = pieces.error { throw error }
        return nil
      }
      pieces.read?.append(start)
      let end = Swift.min(start + pieces.size, pieces.data.count)
      defer { start = end }
      return pieces.data[pieces.data.startIndex + start..<pieces.data.startIndex + end]
    }
  }
}
