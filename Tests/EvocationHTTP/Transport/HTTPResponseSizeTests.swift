import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPResponseSizeTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    private func size() async throws -> Int {
      let cars = service.cars { $0.rememberedResponseSize = 0 }
      let headers = try await cars.find(Criteria()).metadata["headers"] as? [String: String]
      return try #require(headers?["content-length"].flatMap { Int($0) })
    }

    @Test(arguments: [nil, Service.Switch.Chunked.whole])
    func `An answer may be as large as the limit, and no larger`(
      chunked: Service.Switch.Chunked?
    ) async throws {
      let size = try await size()
      if let chunked { try await service.control(.chunked(chunked)) }
      let exact = service.cars { $0.maximumResponseSize = size }
      #expect(try await exact.find(Criteria()).value == Car.all())
      let smaller = service.cars { $0.maximumResponseSize = size - 1 }
      let error = await failure { try await smaller.find(Criteria()) } as? HTTPError
      #expect(error?.code == .tooLarge)
      #expect(error?.status == 200 && error?.headers["content-type"] != nil)
      #expect(
        error?.description == "GET /cars got more than \(size - 1) bytes; ask for fewer models, "
          + "or raise maximumResponseSize."
      )
    }

    @Test func `An answer that tells no length and grows above the limit is not waited for`()
      async throws
    {
      try await service.control(.chunked(.unending))
      let cars = service.cars { $0.maximumResponseSize = 10_000 }
      let error = await failure { try await cars.find(Criteria()) } as? HTTPError
      #expect(error?.code == .tooLarge)
      try await service.release()
      #expect(try await cars.find(Criteria().limit(2)).value.count == 2)
    }
  }
#endif
