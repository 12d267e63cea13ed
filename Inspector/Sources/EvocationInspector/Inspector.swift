public import Evocation
import EvocationInspection
import FlyingFox
import FlyingSocks
public import Foundation

/// A page in a browser that shows what an `Evocation` stores, sends and asks, while your app runs.
///
/// ```swift
/// #if DEBUG
///   let inspector = Inspector()
///   print("Inspector:", try await inspector.start())
/// #endif
/// ```
///
/// The page is served on this device's loopback address alone, at an address with a token that is
/// new each time. Who has the address can see what the page shows, and press its buttons: pause and
/// resume sending, send now, retry and discard entries, validate and invalidate caches. Values of
/// models are hidden until the page asks for them. No part of it reaches another host.
///
/// A release build refuses to start it, unless ``Configuration/isAllowedInReleaseBuilds`` is set.
public actor Inspector {
  /// How the page is served.
  public struct Configuration: Sendable {
    /// The port; 0 for any free one.
    public var port: UInt16

    /// How often the page is brought up to date.
    public var interval: Duration

    /// Whether a release build may serve the page.
    public var isAllowedInReleaseBuilds: Bool

    /// Creates a configuration: any free port, each second, and never in a release build.
    public init(
      port: UInt16 = 0, interval: Duration = .seconds(1), isAllowedInReleaseBuilds: Bool = false
    ) {
      self.port = port
      self.interval = interval
      self.isAllowedInReleaseBuilds = isAllowedInReleaseBuilds
    }
  }

  private let evocation: Evocation
  private let configuration: Configuration
  private var running: (server: HTTPServer, task: Task<Void, any Error>, address: URL)?

  /// Creates an inspector of an instance, without serving anything yet.
  public init(_ evocation: Evocation = .shared, configuration: Configuration = .init()) {
    self.evocation = evocation
    self.configuration = configuration
  }

  deinit { running?.task.cancel() }

  /// Serves the page, and begins to keep calls; does nothing if that has begun.
  ///
  /// The page is served until ``stop()``, or until the inspector is released.
  ///
  /// - Returns: The address to open in a browser on this device, with its token.
  /// - Throws: ``InspectorError/releaseBuild`` in a release build, and
  ///   ``InspectorError/cannotListen(port:reason:)``.
  @discardableResult
  public func start() async throws -> URL {
    if let running { return running.address }
    guard Self.isDebugBuild || configuration.isAllowedInReleaseBuilds else {
      throw InspectorError.releaseBuild
    }
    // So that the page also shows the calls from before it is opened.
    _ = await evocation.inspection()
    let token = Self.token()
    let server = HTTPServer(
      address: try sockaddr_in.inet(ip4: "127.0.0.1", port: configuration.port),
      logger: .disabled,
      handler: Site(token: token, feed: Feed(evocation, configuration.interval)))
    let task = Task { try await server.run() }
    do {
      try await Self.listen(server, task)
    } catch {
      task.cancel()
      throw InspectorError.cannotListen(port: configuration.port, reason: "\(error)")
    }
    guard case .ip4(_, let port)? = await server.listeningAddress,
      let address = URL(string: "http://127.0.0.1:\(port)/\(token)/")
    else {
      task.cancel()
      throw InspectorError.cannotListen(port: configuration.port, reason: "it has no address")
    }
    running = (server, task, address)
    return address
  }

  /// Stops serving the page.
  public func stop() async {
    guard let running else { return }
    self.running = nil
    await running.server.stop(timeout: 1)
    running.task.cancel()
  }

  /// Waits until the server listens, or cannot.
  private static func listen(_ server: HTTPServer, _ task: Task<Void, any Error>) async throws {
    let waiting = Task { try await server.waitUntilListening(timeout: 10) }
    // The server ends immediately if the port is taken.
    let watching = Task {
      _ = await task.result
      waiting.cancel()
    }
    defer { watching.cancel() }
    do {
      try await waiting.value
    } catch is CancellationError {
      try await task.value
    }
  }

  private static var isDebugBuild: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// Returns 128 random bits as text.
  private static func token() -> String {
    UUID().uuidString.replacing("-", with: "").lowercased()
      + String(UInt64.random(in: .min ... .max), radix: 16)
  }
}

/// Why an inspector does not serve its page.
///
/// ```swift
/// do { try await inspector.start() } catch InspectorError.releaseBuild { print("not here") }
/// ```
public enum InspectorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// This is a release build, and the configuration does not allow it there.
  case releaseBuild
  /// The system does not let it listen on this port.
  case cannotListen(port: UInt16, reason: String)

  /// What happened, and how to fix it.
  public var description: String {
    switch self {
    case .releaseBuild:
      "The inspector does not start in a release build; set isAllowedInReleaseBuilds if people "
        + "who use this build may see and change what the app stores."
    case .cannotListen(let port, let reason):
      "The inspector cannot listen on port \(port) of 127.0.0.1: \(reason). Take another port, or 0 "
        + "for any free one."
    }
  }
}
