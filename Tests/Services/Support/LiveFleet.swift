import Evocation
import EvocationHTTP
import EvocationTesting
import Fixtures
import Foundation

/// Many devices over one service, in one process: what they are told, how soon, and what that costs it.
final class LiveFleet: Sendable {
  private struct Writing: Hashable {
    let device: Int
    let number: Int
  }

  private struct State {
    var written: [Writing: ContinuousClock.Instant] = [:]
    /// Since when each device is there without a pause; nil for one that is not.
    var since: [Int: ContinuousClock.Instant] = [:]
    /// How many changes arrived within each millisecond.
    var delays: [Int] = Array(repeating: 0, count: 60_000)
  }

  let isLive: Bool
  let secondsBetweenWrites: Int
  let folder: URL
  private let service: RealService
  private let transport = CountingTransport()
  private let state = Lock(State())

  init(_ service: RealService, isLive: Bool, secondsBetweenWrites: Int) throws {
    self.service = service
    self.isLive = isLive
    self.secondsBetweenWrites = secondsBetweenWrites
    folder = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func model(of device: Int) -> BaseCar { BaseCar(car(device, "device \(device)")) }

  /// Returns the repository of a device, whose connections are its own.
  func repository() -> HTTPRepository<BaseCar> {
    var format = HTTPFormat.pocketBase
    if !isLive { format.live = nil }
    var configuration = HTTPService.Configuration()
    configuration.transport = transport
    return HTTPRepository(
      HTTPService(service.address.appending(path: "api"), configuration: configuration),
      "collections/cars/records", format: format)
  }

  func recordWritten(_ device: Int, _ number: Int) {
    state.withLock { $0.written[.init(device: device, number: number)] = .now }
  }

  func recordAway(_ device: Int) { state.withLock { $0.since[device] = nil } }

  /// Notes that a device is there again; it is told of what it has missed for some seconds.
  func recordBack(_ device: Int) { state.withLock { $0.since[device] = .now + .seconds(10) } }

  /// Returns what takes the time of each change that arrives at a device.
  func observer(
    _ device: Int, since: ContinuousClock.Instant
  ) -> @Sendable (RepositoryChange<BaseCar>) -> Void {
    state.withLock { $0.since[device] = since }
    return { [self] change in
      guard case .models(let stored, let updated, _) = change.extent else { return }
      let now = ContinuousClock.now
      state.withLock { state in
        guard let since = state.since[device] else { return }
        for car in stored + updated.map(\.after) {
          guard let writer = Int(car.id.dropFirst(3)), writer != device,
            let begun = state.written[.init(device: writer, number: car.weight)], begun > since
          else { continue }
          let delay = (now - begun) / .milliseconds(1)
          state.delays[min(Int(delay), state.delays.count - 1)] += 1
        }
      }
    }
  }

  var requests: Int { transport.requests }

  /// Returns the delay in milliseconds that this part of all arrivals did not exceed.
  func delay(_ part: Double) -> (milliseconds: Int, arrivals: Int) {
    let delays = state.withLock { $0.delays }
    let all = delays.reduce(0, +)
    var sum = 0
    for (milliseconds, count) in delays.enumerated() {
      sum += count
      if Double(sum) >= part * Double(all) { return (milliseconds, all) }
    }
    return (0, all)
  }

  /// The seconds of processor time that the service has used; nil where that cannot be read.
  var processorSeconds: Double? {
    let port = service.address.port ?? 0
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    for process in processes where Int(process) != nil {
      guard let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8),
        line.contains("pocketbase"), line.contains("serve"), line.contains("127.0.0.1:\(port)"),
        let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      else { continue }
      // After the name in parentheses; the 12th and 13th are the times, in hundredths.
      let words = stat.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
      guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else {
        return nil
      }
      return (user + system) / 100
    }
    return nil
  }
}

/// The system's transport, which counts what it sends.
private final class CountingTransport: HTTPTransport {
  private let base = URLSessionTransport()
  private let count = Lock(0)

  var requests: Int { count.withLock { $0 } }

  func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
    count.withLock { $0 += 1 }
    return try await base.send(request)
  }
}
