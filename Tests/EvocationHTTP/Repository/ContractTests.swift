import EvocationHTTP
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct ContractTests {
    @Test(arguments: ServiceContract.all)
    func `the repository over HTTP keeps the contract of all repositories`(
      contract: ServiceContract
    ) async throws {
      let problems = try await contract.problems(over: URLSessionTransport())
      #expect(problems == [])
    }
  }
#endif
