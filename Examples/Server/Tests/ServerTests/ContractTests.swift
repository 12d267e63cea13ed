import AsyncHTTPClient
import Testing
import TransportSuite

@testable import Server

@Suite(.serialized, .timeLimit(.minutes(20))) struct ContractTests {
  @Test(arguments: ServiceContract.all)
  func `A repository over AsyncHTTPClient keeps the contract of all repositories`(
    contract: ServiceContract
  ) async throws {
    let client = HTTPClient(configuration: AsyncHTTPClientTransport.configuration)
    let problems = try await contract.problems(over: AsyncHTTPClientTransport(client: client))
    #expect(problems == [])
    try await client.shutdown()
  }
}
