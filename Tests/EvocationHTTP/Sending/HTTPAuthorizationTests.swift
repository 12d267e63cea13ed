import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What the app's closure throws in place of a credential.
@Suite(.patient) struct HTTPAuthorizationTests {
  private struct SignedOut: Error {}

  private struct Own: ClassifiedError {
    var failureKind: FailureKind
  }

  /// An app whose closure throws on one occasion, at a service that refuses the credential `old`.
  private struct App {
    let evocation: Evocation
    let things: HTTPRepository<Thing>
    let service: Scripted
    let thrown: Lock<(any Error)?>
    let local = InMemoryRepository<Thing>()

    init(_ error: any Error, on occasion: HTTPService.Occasion) throws {
      let thrown = Lock<(any Error)?>(error)
      self.thrown = thrown
      service = Scripted { request in
        guard request.headers["Authorization"] == "new" else {
          return (401, [:], #"{"message": "expired"}"#)
        }
        return request.method == "GET" ? (404, [:], "") : (200, [:], #"{"id": 1}"#)
      }
      things = try service.things {
        $0.authorization = { asked in
          if let error = thrown.withLock({ $0 }), asked == occasion { throw error }
          return thrown.withLock { $0 == nil } ? "new" : "old"
        }
      }
      evocation = Evocation(
        configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
      evocation.register(for: Thing.self).repository(remote: things)
        .repository(local: local).strategy(.offlineFirst)
    }

    var pause: Outbox.Pause? { get async throws { try await evocation.outbox.status().pause } }
  }

  private static let denials: [any Error] = [
    SignedOut(), URLError(.userAuthenticationRequired), URLError(.badServerResponse),
    Own(failureKind: .permanent), Own(failureKind: .conflict),
    DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "")),
    HTTPError(.client, method: "POST", status: 400), HTTPError(.unauthorized, status: 403),
  ]

  @Test(arguments: Self.denials.indices)
  func `A closure that has no other credential after a refusal means that the user must sign in`(
    index: Int
  ) async throws {
    let app = try App(Self.denials[index], on: .refusal)
    let error = try #require(
      await failure { try await app.things.findOne(["id": 1]) } as? HTTPError)
    #expect(error.code == .unauthorized && error.status == 401)
    #expect(error.failureKind == .authorization && error.failureScope == .service)
    #expect(error.message == "expired")
    let name = "\(type(of: Self.denials[index]))"
    #expect("\(type(of: error.underlying ?? SignedOut()))" == name)
    #expect(
      error.description
        == "GET /things/1 was refused with 401, and the authorization closure threw \(name); "
        + "let the user sign in again.")
    #expect(await app.evocation.storeOne(Thing(id: 1)).isPending)
    #expect(await app.evocation.outbox.flush().left == 1)
    guard case .authorization? = try await app.pause else {
      Issue.record("The service is asked on.")
      return
    }
    // Any request with a credential that the service has not refused has the outbox go on.
    app.thrown.withLock { $0 = nil }
    _ = try await app.things.findOne(["id": 2])
    try await eventually("sending goes on") { try await app.pause == nil }
    #expect(await app.evocation.outbox.flush().left == 0)
  }

  private struct Expired: LocalizedError, CustomStringConvertible {
    var description: String { "The refresh token is too old." }
    var errorDescription: String? { "Your session has ended." }
  }

  private struct Described: Error, CustomStringConvertible {
    var description: String { "The refresh token is too old." }
  }

  private struct Localized: LocalizedError, ClassifiedError {
    var failureKind: FailureKind { .authorization }
    var errorDescription: String? { "Your session has ended." }
  }

  /// What the closure throws on which occasion, and what the status says then.
  private static let sayings: [(any Error, HTTPService.Occasion, String)] = [
    (Expired(), .refusal, "Your session has ended."),
    (Described(), .refusal, "The refresh token is too old."),
    (Localized(), .refusal, "Your session has ended."),
    (Localized(), .request, "Your session has ended."),
    (
      SignedOut(), .refusal,
      "POST /things was refused with 401, and the authorization closure threw SignedOut; let the "
        + "user sign in again."
    ),
    (
      URLError(.userAuthenticationRequired), .request,
      "POST /things was not sent, because the authorization closure threw URLError; let the user "
        + "sign in again."
    ),
  ]

  @Test(arguments: Self.sayings.indices)
  func `Sending pauses for the reason that the app's own error gives, also in the next process`(
    index: Int
  ) async throws {
    let (error, occasion, reason) = Self.sayings[index]
    let app = try App(error, on: occasion)
    _ = await app.evocation.storeOne(Thing(id: 1))
    let result = await app.evocation.outbox.flush()
    #expect(result == Outbox.FlushResult(sent: 0, left: 1, parked: 0))
    #expect(try await app.pause == .authorization(reason))
    #expect(result.reason == "Sending has paused until the user signs in: \(reason)")
    // The pause is not kept. The next process asks the closure, and pauses for the same reason.
    let next = Evocation(
      configuration: .init(clock: ManualClock(), outbox: .init(sendsAutomatically: false)))
    next.register(for: Thing.self).repository(
      remote: try app.service.things {
        $0.authorization = { asked in
          if asked == occasion { throw error }
          return "old"
        }
      }
    ).repository(local: app.local).strategy(.offlineFirst)
    app.evocation.outbox.pause()
    try await eventually("the lease is free") {
      await next.outbox.flush()
      return try await next.outbox.status().pause != nil
    }
    #expect(try await next.outbox.status().pause == .authorization(reason))
    #expect(try await next.outbox.status().pending == 1)
  }

  @Test(arguments: [
    URLError.Code.timedOut, .notConnectedToInternet, .networkConnectionLost, .cannotConnectToHost,
    .cannotFindHost, .cancelled, .secureConnectionFailed, .unknown,
  ])
  func `A closure that could not reach its service says nothing about the user`(
    code: URLError.Code
  )
    async throws
  {
    for occasion in HTTPService.Occasion.allCases {
      let app = try App(URLError(code), on: occasion)
      let error = await failure { try await app.things.findOne(["id": 1]) }
      #expect((error as? URLError)?.code == code)
      _ = await app.evocation.storeOne(Thing(id: 1))
      #expect(await app.evocation.outbox.flush().left == 1)
      if case .authorization? = try await app.pause { Issue.record("\(code): it is paused.") }
    }
  }

  @Test func `What an error says of itself counts, and a cancellation is none`() async throws {
    for occasion in HTTPService.Occasion.allCases {
      for kind in [FailureKind.transient, .authorization] {
        let app = try App(Own(failureKind: kind), on: occasion)
        let error = await failure { try await app.things.findOne(["id": 1]) }
        #expect((error as? Own)?.failureKind == kind)
      }
      let app = try App(CancellationError(), on: occasion)
      #expect(await failure { try await app.things.findOne(["id": 1]) } is CancellationError)
    }
  }

  @Test func `Before the first request an error that says nothing may pass`() async throws {
    let app = try App(SignedOut(), on: .request)
    await #expect(throws: SignedOut.self) { try await app.things.findOne(["id": 1]) }
    _ = await app.evocation.storeOne(Thing(id: 1))
    #expect(await app.evocation.outbox.flush().left == 1)
    #expect(app.service.lines.isEmpty)
    if case .authorization? = try await app.pause { Issue.record("It is paused.") }
  }

  @Test(arguments: Self.denials.indices.filter { ![0, 2].contains($0) })
  func `Before the first request no error parks a write, and one that cannot pass asks to sign in`(
    index: Int
  ) async throws {
    let app = try App(Self.denials[index], on: .request)
    let error = try #require(
      await failure { try await app.things.findOne(["id": 1]) } as? HTTPError)
    #expect(error.failureKind == .authorization && error.failureScope == .service)
    #expect(
      error.description
        == "GET /things/1 was not sent, because the authorization closure threw "
        + "\(type(of: Self.denials[index])); let the user sign in again.")
    _ = await app.evocation.storeOne(Thing(id: 1))
    let result = await app.evocation.outbox.flush()
    #expect(result.left == 1 && result.parked == 0)
    guard case .authorization? = try await app.pause else {
      Issue.record("The service is asked on.")
      return
    }
    app.thrown.withLock { $0 = nil }
    _ = try await app.things.findOne(["id": 2])
    try await eventually("sending goes on") { try await app.pause == nil }
    #expect(await app.evocation.outbox.flush().left == 0)
  }

  @Test(arguments: [HTTPService.Occasion.request, .refusal])
  func `A closure that never returns fails the calls that wait for it, in time`(
    occasion: HTTPService.Occasion
  ) async throws {
    let (clock, never, asked) = (ManualClock(), Promise<Void>(), Gate.Counter())
    let service = Scripted { _ in (401, [:], "") }
    let things = try service.things {
      $0.clock = clock
      $0.authorization = { now in
        guard now == occasion else { return "old" }
        asked.increase()
        await never.value
        return "late"
      }
    }
    let calls = (1...2).map { id in
      Task { await failure { try await things.findOne(["id": id]) } as? HTTPError }
    }
    await asked.reach(occasion == .request ? 2 : 1)
    let done = Lock(0)
    let errors = Task {
      var errors: [HTTPError?] = []
      for call in calls {
        errors.append(await call.value)
        done.withLock { $0 += 1 }
      }
      return errors
    }
    try await eventually("the end of both") {
      clock.advance(by: .seconds(10))
      return done.withLock { $0 } == 2
    }
    for (id, error) in zip(1..., await errors.value) {
      #expect(error?.code == .timedOut)
      #expect(error?.failureKind == .transient && error?.failureScope == .service)
      let what = occasion == .request ? "was not sent, because" : "was refused with 401, and"
      #expect(
        error?.description
          == "GET /things/\(id) \(what) the authorization closure did not return within 30 s; let "
          + "it return or throw in time, or raise the timeout.")
    }
    never.fulfil()
  }

  @Test func `A closure that never returns holds up no call that is canceled`() async throws {
    let (never, asked) = (Promise<Void>(), Gate.Counter())
    let things = try Scripted { _ in (200, [:], "[]") }.things {
      $0.authorization = { _ in
        asked.increase()
        await never.value
        return nil
      }
    }
    let call = Task { await failure { try await things.find(Criteria()) } }
    await asked.reach(1)
    call.cancel()
    #expect(await call.value is CancellationError)
    never.fulfil()
  }
}
