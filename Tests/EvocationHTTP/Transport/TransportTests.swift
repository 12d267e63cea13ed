import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

#if os(macOS) || os(Linux)
  @Suite(.patient) struct TransportTests {
    private let suite = TransportSuite { URLSessionTransport() }

    @Test(arguments: TransportSuite.checks)
    func `URLSession bears what a service does`(check: TransportSuite.Check) async {
      let problems = await suite.problems(check)
      #expect(problems == [])
    }

    @Test func `An app adds to the default session, which keeps neither cookies nor answers`()
      async throws
    {
      let session = URLSessionTransport.defaultConfiguration()
      #expect(session.urlCache == nil)
      #expect(session.httpCookieStorage == nil)
      #expect(session.urlCredentialStorage == nil)
      let service = try await Service.start()
      let cars = service.cars {
        $0.transport = URLSessionTransport {
          let session = URLSessionTransport.defaultConfiguration()
          session.httpAdditionalHeaders = ["X-App": "1"]
          return session
        }
      }
      try await service.control(.lines("Set-Cookie: a=b; Path=/", "Cache-Control: max-age=600"))
      for _ in 1...2 { _ = try await cars.findOne(["id": 1]) }
      let requests = try await service.requests()
      #expect(requests.map { $0.headers["x-app"] } == ["1", "1"])
      #expect(requests.map { $0.headers["cookie"] } == [nil, nil])
    }
  }
#endif
