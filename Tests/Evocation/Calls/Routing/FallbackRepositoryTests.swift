import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing

@testable import CoreSupport
@testable import Evocation

/// Several remote repositories, of which each call takes the first that can be reached.
@Suite(.patient) struct FallbackRepositoryTests {
  /// How a repository fails, as far as it matters here.
  enum Trouble: CaseIterable {
    /// The service cannot be reached, so that nothing has arrived.
    case away
    /// The answer is lost, so that the call may have arrived.
    case lost
    case refusal, conflict, unauthorized, missing, partial, cancelled

    /// Whether a read, and a write, go on to the next repository.
    var goesOn: (read: Bool, write: Bool) {
      switch self {
      case .away: (true, true)
      case .lost: (true, false)
      // What was written of it says nothing of a read.
      case .partial: (true, false)
      case .refusal, .conflict, .unauthorized, .missing, .cancelled: (false, false)
      }
    }

    func error(_ name: String) -> any Error {
      switch self {
      case .away: Failure(name: name, failureKind: .transient, mayHaveArrived: false)
      case .lost: Failure(name: name, failureKind: .transient)
      case .refusal, .missing:
        Failure(name: name, failureKind: .permanent, isNotFound: self == .missing)
      case .conflict: Failure(name: name, failureKind: .conflict)
      case .unauthorized: Failure(name: name, failureKind: .authorization)
      case .partial: Part(underlying: Failure(name: name, failureKind: .transient))
      case .cancelled: CancellationError()
      }
    }
  }

  struct Failure: ConflictError, Equatable, CustomStringConvertible {
    let name: String
    let failureKind: FailureKind
    var mayHaveArrived = true
    var isNotFound = false
    var retryAfter: Duration? { .seconds(7) }
    var logDescription: String? { name }
    var serviceWords: ServiceWords? { ServiceWords(message: "no") }
    var current: (any Sendable)? { failureKind == .conflict ? Car(id: 9) : nil }
    var description: String { "\(name) fails" }
  }

  struct Part: PartialError {
    var done: [String] = ["1"]
    var failed: [String] = []
    var unsent: [String] = []
    var underlying: any Error
    var failureKind: FailureKind { .transient }
  }

  /// A remote repository that fails, and notes what reached it.
  final class Member: Repository, SharedService {
    let service: String
    let trouble = Lock<Trouble?>(nil)
    let calls = Lock(0)
    let base = InMemoryRepository<Car>()

    init(_ service: String, _ trouble: Trouble? = nil) {
      self.service = service
      self.trouble.withLock { $0 = trouble }
    }

    private func call<Value>(
      _ body: () async throws -> Response<Value>
    ) async throws -> Response<Value> {
      calls.withLock { $0 += 1 }
      if let trouble = trouble.withLock(\.self) { throw trouble.error(service) }
      var answer = try await body()
      answer.versions = ["v of \(service)"]
      return answer
    }

    func find(_ criteria: Criteria) async throws -> Response<[Car]> {
      try await call { try await base.find(criteria) }
    }
    func store(_ models: [Car]) async throws -> Response<[Car]> {
      try await call { try await base.store(models) }
    }
    func update(_ models: [Car]) async throws -> Response<[Car]> {
      try await call { try await base.update(models) }
    }
    func storeOrUpdate(_ models: [Car]) async throws -> Response<[Car]> {
      try await call { try await base.storeOrUpdate(models) }
    }
    func remove(_ models: [Car]) async throws -> Response<[Car]> {
      try await call { try await base.remove(models) }
    }
  }

  private static let reads: [@Sendable (FallbackRepository<Car>) async throws -> Void] = [
    { _ = try await $0.find(Criteria()) }, { _ = try await $0.findOne(Criteria()) },
    { _ = try await $0.count(Criteria()) }, { _ = try await $0.exists(Criteria()) },
    { _ = try await $0.find(Criteria(), inBatchesOf: 2) { _ in } },
  ]

  private static let writes: [@Sendable (FallbackRepository<Car>) async throws -> Void] = [
    { _ = try await $0.store([Car(id: 1)]) }, { _ = try await $0.storeOne(Car(id: 2)) },
    { _ = try await $0.update([Car(id: 1)]) }, { _ = try await $0.updateOne(Car(id: 1)) },
    { _ = try await $0.storeOrUpdate([Car(id: 1)]) },
    { _ = try await $0.mirror([Car(id: 1)], for: ["id": 1]) },
    { _ = try await $0.mirror([Car(id: 1)], for: ["id": 1], keeping: [Car(id: 2)]) },
    { _ = try await $0.remove([Car(id: 1)]) }, { _ = try await $0.removeOne(Car(id: 2)) },
  ]

  @Test(arguments: Trouble.allCases, Array(0..<3))
  func `The next repository is asked where one is away, never where a write may have arrived`(
    trouble: Trouble, place: Int
  ) async throws {
    for isWrite in [false, true] {
      let goesOn = isWrite ? trouble.goesOn.write : trouble.goesOn.read
      for call in isWrite ? Self.writes : Self.reads {
        let members = (0..<3).map { Member("s\($0)", $0 < place ? .away : nil) }
        members[place].trouble.withLock { $0 = trouble }
        let error = await caught { try await call(FallbackRepository(members)) }
        let asked = members.map { $0.calls.withLock(\.self) > 0 }
        let last = goesOn ? min(2, place + 1) : place
        #expect(asked == (0..<3).map { $0 <= last }, "\(trouble) \(isWrite)")
        guard !goesOn || place == 2 else {
          #expect(error == nil, "\(trouble) \(isWrite)")
          continue
        }
        guard goesOn else {
          #expect("\(error.map { "\($0)" } ?? "")" == "\(trouble.error("s\(place)"))")
          continue
        }
        let all = try #require(error as? FallbackError)
        #expect(all.attempts.map(\.repository) == ["s0", "s1", "s2"])
        #expect(all.underlying as? Failure == Trouble.away.error("s0") as? Failure)
        #expect(all.failureKind == .transient && all.failureScope == .service)
        #expect(all.retryAfter == .seconds(7) && all.mayHaveArrived == (trouble != .away))
        #expect(all.logDescription == "s0" && all.serviceWords?.message == "no")
      }
    }
  }

  private func caught(_ body: () async throws -> Void) async -> (any Error)? {
    do {
      try await body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `Without repositories each call fails, and says so`() async {
    let none = FallbackRepository<Car>([])
    await #expect(throws: EvocationError.missingRepository(.remote, model: "Car")) {
      try await none.find(Criteria())
    }
    #expect(!none.isObservable && !none.listsChanges && !none.sendsLiveChanges)
  }

  @Test func `The trace has a step for each repository that was asked`() async throws {
    let (primary, secondary) = (Member("a", .away), Member("b"))
    _ = try await secondary.base.store([Car(id: 1)])
    let evocation = Evocation(configuration: .init(clock: ManualClock()))
    try evocation.register(
      Car.self, remote: FallbackRepository([primary, secondary]), strategy: .remoteOnly)
    let found = await evocation.find(model: Car.self)
    #expect(found.data == [Car(id: 1)])
    #expect(
      "\(found.trace)" == "find Car: remote (a) failed: a fails. remote (b) returned 1 model.")
    #expect(found.metadata[.remote]?["answeredBy"] as? String == "b")
    let count = await evocation.count(model: Car.self)
    #expect(
      "\(count.trace)" == "count Car: remote (a) failed: a fails. remote (b) returned 1 model.")
    #expect(await evocation.exists(model: Car.self).trace.steps.map(\.name) == ["a", "b"])
    secondary.trouble.withLock { $0 = .lost }
    let failed = await evocation.find(model: Car.self)
    #expect(
      "\(failed.trace)" == "find Car: remote (a) failed: a fails. remote (b) failed: b fails.")
    #expect(
      "\(failed.error.map { "\($0)" } ?? "")"
        == "None of 2 repositories could be reached: a: a fails; b: b fails.")
    let json = try JSONEncoder().encode(failed.trace)
    #expect(try JSONDecoder().decode(Evocation.Trace.self, from: json) == failed.trace)
    primary.trouble.withLock { $0 = nil }
    let first = await evocation.find(model: Car.self)
    #expect("\(first.trace)" == "find Car: remote (a) returned nothing.")
  }

  @Test(arguments: [false, true])
  func `A version of the first repository is given to no other, unless all are one service`(
    isOneService: Bool
  ) async throws {
    let (primary, secondary) = (Member("a"), Member("b"))
    for member in [primary, secondary] { _ = try await member.base.store([Car(id: 1)]) }
    let both = FallbackRepository([primary, secondary], ofOneService: isOneService)
    #expect(try await both.find(Criteria()).versions == ["v of a"])
    primary.trouble.withLock { $0 = .away }
    #expect(
      try await both.find(Criteria()).versions == (isOneService ? ["v of b"] : []))
    let base = WriteBase(model: Car(id: 1), condition: .version("v of a"))
    let error = await caught {
      try await WriteBase.$current.withValue(base) { _ = try await both.updateOne(Car(id: 1)) }
    }
    #expect((error == nil) == isOneService)
    #expect(secondary.calls.withLock(\.self) == (isOneService ? 2 : 1))
    for condition in [WriteBase.Condition.version(nil), .remembered] {
      let free = WriteBase(model: Car(id: 1), condition: condition)
      try await WriteBase.$current.withValue(free) { _ = try await both.updateOne(Car(id: 1)) }
    }
  }

  /// A member that lists and sends changes, with marks of its own.
  private final class Listing: ForwardingRepository, ChangesRepository, LiveRepository {
    let base: Member
    let marks = Lock<[String?]>([])
    let isEnding = Lock(false)

    init(_ base: Member) { self.base = base }

    func changes(_ criteria: Criteria, since mark: String?) async throws -> Response<Changes<Car>?>
    {
      marks.withLock { $0.append(mark) }
      _ = try await base.find(criteria)
      return Response(Changes([], mark: "mark of \(base.service)", isWhole: mark == nil))
    }

    func liveChanges(since mark: String?) -> AsyncThrowingStream<RemoteChanges<Car>, any Error> {
      marks.withLock { $0.append(mark) }
      return AsyncThrowingStream { [self] in
        _ = try await base.find(Criteria())
        return RemoteChanges(
          stored: [Car(id: 1)], mark: "mark of \(base.service)", versions: ["v"])
      }
    }
  }

  @Test(arguments: [false, true])
  func `A change token belongs to its service`(isOneService: Bool) async throws {
    let (primary, secondary) = (Listing(Member("a")), Listing(Member("b")))
    let both = FallbackRepository<Car>(
      [Member("deaf", .away), primary, secondary], ofOneService: isOneService)
    #expect(both.listsChanges && both.sendsLiveChanges && !both.announcesConnection)
    // The first one lists none, so what it would say belongs to nobody else.
    let two = FallbackRepository([primary, secondary], ofOneService: isOneService)
    #expect(try await two.changes(Criteria(), since: "m").value?.mark == "mark of a")
    primary.base.trouble.withLock { $0 = .away }
    let answer = try await two.changes(Criteria(), since: "m").value
    #expect(answer?.mark == (isOneService ? "mark of b" : nil))
    #expect(secondary.marks.withLock(\.self) == (isOneService ? ["m"] : [nil]))
  }

  @Test(arguments: [false, true])
  func `Live changes come from the first that can be reached, until it cannot`(
    isOneService: Bool
  )
    async throws
  {
    let (primary, secondary) = (Listing(Member("a", .lost)), Listing(Member("b")))
    let both = FallbackRepository([primary, secondary], ofOneService: isOneService)
    var changes = both.liveChanges(since: "m").makeAsyncIterator()
    for _ in 1...2 {
      let next = try await changes.next()
      #expect(next?.stored.map(\.id) == [1])
      #expect(next?.mark == (isOneService ? "mark of b" : nil))
      #expect(next?.versions == (isOneService ? ["v"] : []))
    }
    #expect(primary.marks.withLock(\.self) == ["m"])
    #expect(secondary.marks.withLock(\.self) == (isOneService ? ["m"] : [nil]))
    primary.base.trouble.withLock { $0 = nil }
    #expect(try await changes.next() != nil && primary.base.calls.withLock(\.self) == 1)
    secondary.base.trouble.withLock { $0 = .lost }
    await #expect(throws: Failure(name: "b", failureKind: .transient)) {
      try await changes.next()
    }
    var again = both.liveChanges(since: "m").makeAsyncIterator()
    #expect(try await again.next()?.mark == "mark of a")
  }

  @Test func `An observation sees the changes of each repository that reports them`() async throws {
    let (a, b) = (InMemoryRepository<Car>(), InMemoryRepository<Car>())
    let evocation = Evocation()
    try evocation.register(
      Car.self, remote: FallbackRepository([a, Member("m"), b] as [any Repository<Car>]),
      strategy: .remoteOnly)
    var states = evocation.observe(model: Car.self).makeAsyncIterator()
    #expect(await states.next()?.data == [])
    _ = try await b.store([Car(id: 2)])
    _ = try await a.store([Car(id: 1)])
    while let state = await states.next(), state.data != [Car(id: 1)] {}
    let deaf = Evocation()
    try deaf.register(Car.self, remote: FallbackRepository([Member("m")]), strategy: .remoteOnly)
    var none = deaf.observe(model: Car.self).makeAsyncIterator()
    #expect(await none.next()?.error as? EvocationError == .notObservable(model: "Car"))
  }

  @Test func `A batch that cannot be saved is not fetched from the next repository`() async throws {
    let (primary, secondary) = (Member("a"), Member("b"))
    _ = try await primary.base.store([Car(id: 1)])
    let both = FallbackRepository([primary, secondary])
    await #expect(throws: Outage(place: .local)) {
      try await both.find(Criteria(), inBatchesOf: 1) { _ in throw Outage(place: .local) }
    }
    #expect(secondary.calls.withLock(\.self) == 0)
  }

  @Test func `It keeps the contract, and is one service for the outbox`() async {
    let contract = RepositoryContract((1...3).map { Car(id: $0) }) { car in
      var car = car
      car.year += 1
      return car
    }
    let report = await contract.report {
      FallbackRepository<Car>([Member("away", .away), InMemoryRepository<Car>()])
    }
    #expect(report.violations.map(\.description) == [])
    #expect(FallbackRepository([Member("a"), Member("b")]).service == "a")
  }
}
