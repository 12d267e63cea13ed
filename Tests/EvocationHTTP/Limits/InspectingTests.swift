import Evocation
import EvocationHTTP
import EvocationInspection
import EvocationTesting
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// What an inspection says of a server.
@Suite(.patient) struct InspectingTests {
  private struct Car: Codable, Identifiable, Hashable, Sendable { var id: Int }

  private struct Broken: HTTPTransport {
    func send(_ request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
      throw URLError(.cannotConnectToHost)
    }
  }

  private let clock = ManualClock()

  @Test func `The circuit is open after failures, and says for how long`() async throws {
    var configuration = HTTPService.Configuration()
    (configuration.transport, configuration.clock) = (Broken(), clock)
    configuration.limits.breaker = .init(failures: 2, pause: .seconds(30))
    let url = try #require(URL(string: "http://127.0.0.1:9/"))
    let service = HTTPService(url, configuration: configuration)
    let evocation = Evocation(configuration: .init(clock: clock))
    try evocation.register(
      Car.self, remote: HTTPRepository<Car>(service, "cars"), strategy: .remoteOnly)
    _ = await evocation.find(model: Car.self)
    let closed = try #require(await evocation.inspection().services.first)
    #expect(closed.name == "http://127.0.0.1:9" && closed.models == ["Car"])
    #expect(service.baseURL == url)
    #expect(closed.gate?.circuit == .closed && closed.gate?.failures == 1)
    _ = await evocation.find(model: Car.self)
    clock.advance(by: .seconds(10))
    let gate = try #require(await evocation.inspection().services.first?.gate)
    #expect(gate.circuit == .open && gate.secondsToWait == 20)
    #expect(gate.running == 0 && gate.waiting == 0)
  }
}
