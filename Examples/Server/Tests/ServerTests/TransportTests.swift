import AsyncHTTPClient
import EvocationHTTP
import Testing
import TransportSuite

@testable import Server

@Suite(.serialized, .timeLimit(.minutes(20))) struct TransportTests {
  @Test(arguments: TransportSuite.checks + TransportSuite.checksThatEndURLSession)
  func `AsyncHTTPClient bears what a service does`(check: TransportSuite.Check) async throws {
    let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
    let suite = TransportSuite { AsyncHTTPClientTransport(client: client) }
    let problems = await suite.problems(check)
    #expect(problems == [])
    try await client.shutdown()
  }
}
