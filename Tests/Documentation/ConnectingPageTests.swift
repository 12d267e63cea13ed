import Evocation
import EvocationHTTP
import EvocationSQLite
import Fixtures
import Foundation
import TestTraits
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(macOS) || os(Linux)
  /// The samples of the page on services, word for word, on services of their kinds.
  @Suite(.serialized, .patient) struct ConnectingPageTests {
    struct Vehicle: Codable, Identifiable, Sendable {
      let id: Int
      var name: String
      var milesPerGallon: Double?
      var year: Int
    }

    @Test func `plain REST needs no configuration`() async throws {
      let service = try await Service.start()
      let url = service.url
      let vehicles = HTTPRepository<Vehicle>(HTTPService(url), "cars")
      let recent = try await vehicles.find(Criteria.Key("year") >= 1980).value
      #expect(recent.count == 90)
    }

    @Test func `a second service answers where the first is away`() async throws {
      let (first, second) = (try await Service.start(), try await Service.start())
      let (primary, secondary) = (HTTPService(first.url), HTTPService(second.url))
      first.stop()
      let evocation = Evocation()
      do {
        let cars = FallbackRepository([
          HTTPRepository<Vehicle>(primary, "cars"), HTTPRepository<Vehicle>(secondary, "cars"),
        ])
        try evocation.register(Vehicle.self, remote: cars, strategy: .remoteOnly)
      }
      let result = await evocation.find(model: Vehicle.self)
      #expect(result.data?.count == 406)
      #expect(
        result.trace.steps.map(\.name) == [first.url, second.url].map { HTTPService($0).name })
      do {
        typealias Car = Vehicle
        let cars = FallbackRepository([
          HTTPRepository<Car>(primary, "cars"), HTTPRepository<Car>(secondary, "cars"),
        ])
        let car = Car(id: 5000, name: "a", milesPerGallon: nil, year: 1999)
        #expect(try await cars.storeOne(car).value?.id == 5000)
        second.stop()
        let result = await evocation.find(model: Vehicle.self)
        if let error = result.error as? FallbackError {
          for attempt in error.attempts { print(attempt.repository, attempt.error) }
        }
        #expect((result.error as? FallbackError)?.attempts.count == 2)
      }
    }

    struct Announcing: RepositoryInterceptor {
      func perform<Model: Sendable, Value: Sendable>(
        _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
      ) async throws -> Value {
        print("\(call.kind) of \(Model.self)")
        return try await body(call)
      }
    }

    @Test func `an interceptor sees each call`() async throws {
      let running = try await Service.start()
      let (service, evocation) = (HTTPService(running.url), Evocation())
      let store = InMemoryRepository<Vehicle>()
      do {
        let cars = InterceptedRepository(HTTPRepository<Vehicle>(service, "cars"), by: Announcing())
        try evocation.register(Vehicle.self, remote: cars, local: store, strategy: .remoteFirst)
      }
      do {
        typealias Car = Vehicle
        struct Announcing: RepositoryInterceptor {
          func perform<Model: Sendable, Value: Sendable>(
            _ call: InterceptedCall<Model>, _ body: (InterceptedCall<Model>) async throws -> Value
          ) async throws -> Value {
            print("\(call.kind) of \(Model.self)")
            return try await body(call)
          }
        }

        let cars = InterceptedRepository(HTTPRepository<Car>(service, "cars"), by: Announcing())
        try evocation.register(Car.self, remote: cars, local: store, strategy: .offlineFirst)
        func log(_ call: InterceptedCall<Car>) {
          if call.kind.isWrite { print("writes", call.models.count) }
        }
        #expect(InterceptedCall<Car>.Kind.store.isWrite)
      }
      #expect(await evocation.prefetch(Vehicle.self).data == 406)
    }

    @Test func `an ordinary service takes a dozen lines`() async throws {
      struct Session {
        func token(renewed: Bool) async throws -> String { renewed ? "good" : "expired" }
      }
      let running = try await Service.start(dialect: .company, arguments: ["--bearer", "good"])
      let (url, session) = (running.url, Session())
      let evocation = Evocation(configuration: .init(outbox: .init(sendsAutomatically: false)))
      let database = try SQLiteDatabase.inMemory()
      struct Vehicle: Codable, Identifiable, Sendable {
        let id: Int
        var name: String
        var milesPerGallon: Double?
        var year: Int
      }

      var format = HTTPFormat()
      format.write(keys: .snakeCase)  // miles_per_gallon
      format.envelope = .key("data")  // {"data": [ … ], "meta": {"total": 406}}
      format.total = .key("meta.total")
      format.next = .offset  // ?limit=100&offset=200
      format.filters.largestPage = 100
      format.identifiers = .placeholder { $0.hasPrefix("-") }  // the service makes the ids
      var configuration = HTTPService.Configuration()
      configuration.authorization = { "Bearer \(try await session.token(renewed: $0 == .refusal))" }
      let service = HTTPService(url, configuration: configuration)
      try evocation.register(
        Vehicle.self, remote: HTTPRepository(service, "cars", format: format),
        local: SQLiteRepository(database), strategy: .offlineFirst)
      #expect(try evocation.proxy(for: Vehicle.self).validate().isEmpty)
      let rule = Strategy.Rule(target: .remote, synchronize: .mirror)
      #expect(try await evocation.find(Vehicle.self, rule: rule).count == 406)
      let recent = try await evocation.find(Vehicle.self, where: \.year >= 1980, rule: rule)
      #expect(recent.count == 90)
      #expect(recent.contains { $0.milesPerGallon == 46.6 })
      let new = Vehicle(id: .temporary(), name: "", year: 1983)
      let saved = await evocation.storeOne(new)
      if saved.isPending { print("Saved, and will be sent") }
      for entry in try await evocation.outbox.parked(Vehicle.self) {
        print(entry.lastFailure?.fields ?? [:])  // ["name": ["can't be blank"]]
      }
      #expect(await evocation.outbox.flush().parked == 1)
      let entry = try #require(try await evocation.outbox.parked(Vehicle.self).first)
      #expect(entry.lastFailure?.fields == ["name": ["can't be blank"]])
      var mended = new
      mended.name = "Ada"
      try await evocation.outbox.resend(entry, as: mended)
      #expect(await evocation.outbox.flush().left == 0)
      #expect(try await evocation.findOne(Vehicle.self, id: new.id)?.id == 407)
    }

    @Test func `an enum has a case for what the app does not know`() throws {
      enum Kind: Codable, Hashable, Sendable {
        case card, cash, unknown(String)

        init(from decoder: any Decoder) throws {
          let name = try decoder.singleValueContainer().decode(String.self)
          self = ["card": .card, "cash": .cash][name] ?? .unknown(name)
        }

        func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          switch self {
          case .card: try container.encode("card")
          case .cash: try container.encode("cash")
          case .unknown(let name): try container.encode(name)
          }
        }
      }

      let text = Data(#"["card","crypto"]"#.utf8)
      let kinds = try JSONDecoder().decode([Kind].self, from: text)
      #expect(kinds == [.card, .unknown("crypto")])
      #expect(try JSONEncoder().encode(kinds) == text)
    }

    @Test func `a GraphQL service has a text for each route`() throws {
      let service = HTTPService(try #require(URL(string: "https://example.com")))

      var format = HTTPFormat.graphQL(
        find: """
          query($limit: Int, $offset: Int) {
            list: cars(limit: $limit, offset: $offset) { id name year }
          }
          """,
        findOne: "query($id: ID!) { model: car(id: $id) { id name year } }",
        store: "mutation($model: NewCar!) { model: addCar(car: $model) { id name year } }",
        update: """
          mutation($id: ID!, $model: CarChange!) {
            model: changeCar(id: $id, car: $model) { id name year }
          }
          """,
        remove: "mutation($id: ID!) { model: removeCar(id: $id) { id } }")
      format.filters.largestPage = 100
      format.next = .offset
      format.filtersHere = true
      let cars = HTTPRepository<Vehicle>(service, "graphql", format: format)
      #expect(cars.configurationError == nil)
    }

    /// A client of another protocol than HTTP.
    private struct Broker: Sendable {
      struct Message: Sendable {
        let kind: String
        let payload: Data
      }

      struct Client: Sendable {
        let messages: AsyncStream<Message>
        let subscribed: AsyncStream<[String]>.Continuation

        func subscribe(to topics: [String]) async throws { subscribed.yield(topics) }
      }

      let client: Client

      func connect(_ credential: String?) async throws -> Client { client }
    }

    @Test func `events come from a source of the app's`() async throws {
      let (messages, sending) = AsyncStream<Broker.Message>.makeStream()
      let (topics, subscribed) = AsyncStream<[String]>.makeStream()
      let broker = Broker(client: .init(messages: messages, subscribed: subscribed))
      let url = try #require(URL(string: "http://127.0.0.1:1"))
      let service = HTTPService(url)
      var live = HTTPFormat.Live(.init("GET", "feed"), reading: .init())
      live.source = .init { opening in
        let client = try await broker.connect(opening.request.headers["Authorization"])
        let events = client.messages.map { ServerSentEvent(name: $0.kind, data: $0.payload) }
        return .init(events) { topics in try await client.subscribe(to: topics) }
      }
      var format = HTTPFormat.rest
      format.live = live
      let cars = HTTPRepository<Vehicle>(service, "cars", format: format)
      var changes = cars.liveChanges(since: nil).makeAsyncIterator()
      #expect(try await changes.next()?.stored.isEmpty == true)
      var asked = topics.makeAsyncIterator()
      #expect(await asked.next() == ["cars"])
      sending.yield(.init(kind: "removed", payload: Data(#"{"id": 7}"#.utf8)))
      #expect(try await changes.next()?.removed == ["7"])
    }

    @Test func `a WebSocket is one of the transport's client`() async throws {
      final class Client: Sendable {
        let (said, saying) = AsyncStream<Data>.makeStream()

        func write(_ text: String) async throws { saying.yield(Data(text.utf8)) }

        func nextMessage() async throws -> Data? { await said.first { _ in true } }

        func ping() async throws { saying.yield(Data("ping".utf8)) }

        func cancel() { saying.finish() }
      }
      struct ClientSocket: HTTPWebSocket {
        let client: Client

        func send(_ text: String) async throws { try await client.write(text) }

        func receive() async throws -> Data? { try await client.nextMessage() }

        func ping() async throws { try await client.ping() }

        func close() { client.cancel() }
      }
      let socket = ClientSocket(client: Client())
      try await socket.send("hello")
      #expect(try await socket.receive() == Data("hello".utf8))
      try await socket.ping()
      #expect(try await socket.receive() == Data("ping".utf8))
      socket.close()
      #expect(try await socket.receive() == nil)
    }

    @Test func `messages of a WebSocket are events`() throws {
      let url = try #require(URL(string: "http://127.0.0.1:1"))
      var format = HTTPFormat.rest
      var socket = HTTPFormat.Live.WebSocket()
      socket.join = { topic, _ in #"{"type": "subscribe", "id": "\#(topic)"}"# }
      socket.leave = { topic in #"{"type": "unsubscribe", "id": "\#(topic)"}"# }
      socket.event = { try .init(json: $0, name: "type", id: "seq") }
      format.live = .webSocket("changes", reading: .init(), over: socket)
      let cars = HTTPRepository<Vehicle>(HTTPService(url), "cars", format: format)
      #expect(cars.sendsLiveChanges && cars.configurationError == nil)
      let message = Data(#"{"type": "removed", "seq": 4, "id": 7}"#.utf8)
      #expect(try socket.event(message)?.name == "removed")
    }

    @Test func `a session sends a header field of the app's`() async throws {
      let running = try await Service.start()
      var configuration = HTTPService.Configuration()
      configuration.transport = URLSessionTransport {
        let session = URLSessionTransport.defaultConfiguration()
        session.httpAdditionalHeaders = ["X-App": "Garage"]
        return session
      }
      let service = HTTPService(running.url, configuration: configuration)
      let cars = HTTPRepository<Vehicle>(service, "cars")
      #expect(try await cars.find(Criteria.Key("year") >= 1980).value.count == 90)
      #expect(try await running.requests().last?.headers["x-app"] == "Garage")
    }

    @Test func `rows of a project, and what a view of Django's has`() async throws {
      let running = try await Service.start(dialect: .postgrest)
      let (service, key) = (HTTPService(running.url), "public")
      let cars = HTTPRepository<Vehicle>(service, "cars", format: .supabase(key: key))
      #expect(try await cars.find(Criteria.Key("year") >= 1980).value.count == 90)
      #expect(try await running.requests().last?.headers["apikey"] == "public")
      var format = HTTPFormat.djangoREST(pageSize: 100)
      format.filters.keys = ["id": [.equal, .isIn], "year": [.equal, .less, .greaterOrEqual]]
      format.filters.orders = ["id", "year"]
      #expect(try format.queryItems(for: Criteria.Key("year") >= 1980).first?.name == "year__gte")
      format.filters.textOperators[.like] = [.contains: "unaccent__icontains"]
      format.filters.textKeys["name"] = [.like: [.contains]]
      let like = try format.queryItems(for: Criteria.Key("name").contains("x", options: .like))
      #expect(like.first?.name == "name__unaccent__icontains")
      format.filters.matching = { [URLQueryItem(name: "q", value: $0)] }  // q=quick bro*
      #expect(try format.queryItems(for: .matching("quick bro*")).first?.name == "q")
      let unknown: [Criteria] = [Criteria.Key("year") <= 1980, Criteria.Key("name") == "x"]
      for criteria in unknown {
        #expect(throws: HTTPError.self) { try format.queryItems(for: criteria) }
      }
    }

    /// Both ways: what the page shows is compiled, by the check of all samples.
    @Test func `each format is shown as it is`() throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
      }
      let source = try text("Sources/EvocationHTTP/Format/HTTPFormat+Presets.swift")
      let page = try text("Sources/EvocationHTTP/EvocationHTTP.docc/Connecting.md")
      let blocks = source.matches(of: #/(?s)(    var format = HTTPFormat\(\)\n.*?)\n    return/#)
      #expect(blocks.count >= 7)
      for block in blocks where !block.output.1.hasSuffix("format.next = .link") {
        let lines = block.output.1.split(separator: "\n").map { $0.dropFirst(4) }
        #expect(page.contains("```swift\n" + lines.joined(separator: "\n") + "\n```"))
      }
    }

    @Test func `a refusal has the service's own words`() async throws {
      let service = try await Service.start(dialect: .links)
      let evocation = Evocation()
      evocation.register(for: Vehicle.self)
        .repository(remote: HTTPRepository<Vehicle>(HTTPService(service.url), "cars"))
        .strategy(.remoteOnly)
      let vehicle = Vehicle(id: 500, name: "x", milesPerGallon: nil, year: 1)
      let result = await evocation.storeOne(vehicle)
      if let error = result.error as? HTTPError {
        print(error)  // one sentence without a value of the model's
        print(error.message ?? "The service did not say why.")
        for (field, sentences) in error.fields { print(field, sentences) }
      }
      let error = try #require(result.error as? HTTPError)
      #expect(error.message == "Validation Failed")
      #expect(error.fields["weight"] == ["missing_field"])
    }
  }
#endif
