#if os(macOS) || os(Linux)
  public import Foundation

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// A REST service over JSON files that runs beside the tests, on a real connection.
  ///
  /// It holds the 406 cars at `/cars` unless it is given other files, answers what `README.md`
  /// beside this file says, and shows the faults that a test asks for. It ends with `stop()`, with
  /// the last reference to it, and with this process, however that ends.
  ///
  /// It is written in Python 3, which has to be in `PATH`. Its process serves again, once it has
  /// ended, for whoever starts a service next, who sees nothing of what was before.
  public final class Service: Sendable {
    /// The address, `http://127.0.0.1:` and the port.
    public let url: URL
    /// The port, which a later service can be started on after `stop()`.
    public let port: Int
    private let lent: Lent

    private init(process: ChildProcess, url: URL, port: Int) {
      lent = Lent(process)
      self.url = url
      self.port = port
    }

    /// Starts a service, and returns once it listens.
    ///
    /// - Parameters:
    ///   - data: The files to serve, each under its name without the extension; nil is `cars.json`.
    ///   - dialect: How it speaks of them; the default is the service's own way.
    ///   - arguments: Further options of `service.py`, such as `["--bearer", "secret"]`.
    ///   - port: The port to listen on; 0 is any that is free.
    ///   - clock: What its minute is counted by.
    /// - Returns: The service, which runs until it is stopped or let go.
    /// - Throws: A ``ServiceError`` when Python 3 is missing or the service does not start within
    ///   a minute, and `CancellationError` when the task is cancelled before it has started.
    public static func start(
      data: [URL]? = nil, dialect: Dialect = .plain, arguments: [String] = [], port: Int = 0,
      clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Service {
      let files = (data ?? [Car.file]).flatMap { ["--data", $0.path] }
      let spoken = ["--port", String(port), "--dialect", dialect.rawValue]
      let options = try JSONEncoder().encode(spoken + files + arguments)
      let process = try Lent.takeIdle() ?? started()
      try process.write(String(decoding: options, as: UTF8.self) + "\n")
      let outcome = Outcome()
      // Ended and waited for at the end of this scope, so that it does nothing to who has started.
      async let _ = giveUp(on: process, outcome, clock)
      let text = await withTaskCancellationHandler {
        await process.text { address(in: $0) != nil }
      } onCancel: {
        if outcome.decide(.cancelled) { process.end() }
      }
      guard outcome.decide(.started) || outcome.decision != .cancelled else {
        throw CancellationError()
      }
      guard outcome.decision == .started, let url = address(in: text), let port = url.port else {
        throw failure(text)
      }
      return Service(process: process, url: url, port: port)
    }

    private static func giveUp(
      on process: ChildProcess, _ outcome: Outcome, _ clock: any Clock<Duration>
    ) async {
      do { try await clock.sleep(for: .seconds(60)) } catch { return }
      if outcome.decide(.tooLate) { process.end() }
    }

    /// A process that waits for options.
    private static func started() throws -> ChildProcess {
      let script = Bundle.module.bundleURL.appending(path: "service/service.py")
      return try ChildProcess(python(), [script.path, "--lend"])
    }

    /// Ends the service and waits until it has ended; a second call does nothing.
    public func stop() {
      lent.giveBack()
    }

    /// Sets switches for the requests that follow.
    public func control(_ switches: Switch...) async throws {
      try await send("POST", "_control", body: JSONEncoder().encode(switches))
    }

    /// Ends all switches, and lets the requests go on that a silent one holds back.
    public func release() async throws {
      try await send("DELETE", "_control")
    }

    /// Restores the files' data, ends all switches, drops held requests and forgets those seen.
    public func reset() async throws {
      try await send("POST", "_control/reset")
    }

    /// The requests since the start or the last reset, once there are so many, as they arrived.
    public func requests(atLeast count: Int = 0) async throws -> [Request] {
      let query = [URLQueryItem(name: "at_least", value: String(count))]
      let answer = try await send("GET", "_control/requests", query: query)
      return try JSONDecoder().decode([Request].self, from: answer)
    }

    /// How much was asked at once since the start or the last reset.
    public func load() async throws -> Load {
      try JSONDecoder().decode(Load.self, from: await send("GET", "_control/load"))
    }

    @discardableResult
    private func send(
      _ method: String, _ path: String, query: [URLQueryItem] = [], body: Data? = nil
    ) async throws -> Data {
      let url = url.appending(path: path)
      var request = URLRequest(url: query.isEmpty ? url : url.appending(queryItems: query))
      request.httpMethod = method
      request.httpBody = body
      request.cachePolicy = .reloadIgnoringLocalCacheData
      let (data, response) = try await URLSession.shared.data(for: request)
      guard let response = response as? HTTPURLResponse, response.statusCode < 300 else {
        let said = String(decoding: data, as: UTF8.self)
        throw ServiceError(description: "The fixture service refused \(method) /\(path): \(said)")
      }
      return data
    }

    private static func python() throws -> URL {
      let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
      let places = folders.map { URL(filePath: String($0)).appending(path: "python3") }
      let found = places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      guard let found else {
        throw ServiceError(
          description: "The fixture service needs python3, which is not in PATH; install it with "
            + "apt-get install python3 or brew install python3.")
      }
      return found
    }

    private static func address(in text: String) -> URL? {
      guard let match = text.firstMatch(of: /listening on (http:\S+)\n/) else { return nil }
      return URL(string: String(match.1))
    }

    private static func failure(_ text: String) -> ServiceError {
      let reason = text.split(separator: "\n").last ?? "it said nothing for a minute"
      return ServiceError(description: "The fixture service did not start: \(reason)")
    }
  }
#endif
