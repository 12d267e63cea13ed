#if os(macOS) || os(Linux)
  public import EvocationHTTP
  import Fixtures

  /// Everything that a service did to an app so far, played on a real connection over a transport.
  ///
  /// ```swift
  /// let suite = TransportSuite { PoolTransport(pool: pool) }
  /// for check in TransportSuite.checks { problems += await suite.problems(check) }
  /// ```
  ///
  /// An answer without a problem is a pass. Each check starts a fixture service of its own.
  public struct TransportSuite: Sendable {
    /// One thing that a user relies on.
    public struct Check: Sendable, CustomStringConvertible {
      /// What must hold, as a sentence.
      public let description: String
      let arguments: [String]
      let body: @Sendable (Trial) async throws -> Void

      init(
        _ description: String, arguments: [String] = [],
        _ body: @escaping @Sendable (Trial) async throws -> Void
      ) {
        self.description = description
        self.arguments = arguments
        self.body = body
      }
    }

    private let transport: @Sendable () -> any HTTPTransport

    /// Makes the suite.
    ///
    /// - Parameter transport: Makes a transport; each repository of a check gets one of its own.
    public init(_ transport: @escaping @Sendable () -> any HTTPTransport) {
      self.transport = transport
    }

    /// All checks that URLSession can be asked to pass too.
    public static var checks: [Check] {
      challengeChecks + waitChecks + connectionChecks + brokenChecks + slowChecks + sizeChecks
        + contentChecks + redirectChecks + turnChecks + streamChecks
    }

    /// Checks of answers that end the process within FoundationNetworking, on Linux.
    public static var checksThatEndURLSession: [Check] { endingChecks }

    /// What a transport does otherwise than a check says; empty when it passes.
    public func problems(_ check: Check) async -> [String] {
      do {
        let service = try await Service.start(arguments: check.arguments)
        defer { service.stop() }
        let trial = Trial(service, transport)
        do {
          try await check.body(trial)
        } catch {
          trial.add("it failed: \(error)")
        }
        return trial.problems.map { "\(check): \($0)" }
      } catch {
        return ["\(check): the fixture service did not start: \(error)"]
      }
    }
  }
#endif
