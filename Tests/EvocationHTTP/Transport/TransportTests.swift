import EvocationHTTP
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.timeLimit(.minutes(20))) struct TransportTests {
    private let suite = TransportSuite { URLSessionTransport() }

    @Test(arguments: TransportSuite.checks)
    func `URLSession bears what a service does`(check: TransportSuite.Check) async {
      let problems = await suite.problems(check)
      #expect(problems == [])
    }
  }
#endif
