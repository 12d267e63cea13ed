import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TestTraits
import Testing
import TransportSuite

#if os(macOS) || os(Linux)
  @Suite(.patient) struct HTTPExchangeTests {
    private let service: Service

    init() async throws {
      service = try await Service.start()
    }

    @Test func `Cancelling ends a request that is not answered`() async throws {
      try await service.control(.silent())
      let cars = service.cars()
      let task = Task { try await cars.find(Criteria()) }
      _ = try await service.requests(atLeast: 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `A task that is cancelled already sends nothing`() async throws {
      let cars = service.cars()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await cars.storeOne(car(500))
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await service.requests().isEmpty)
    }

    @Test func `Many requests run side by side, and a cancelled one disturbs no other`()
      async throws
    {
      let cars = service.cars()
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for id in 1...60 {
          group.addTask {
            let task = Task { try await cars.findOne(["id": id]).value }
            guard id % 3 == 0 else { return try await task.value?.id == id }
            task.cancel()
            let error = await failure { try await task.value }
            return error == nil || error is CancellationError
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }

    @Test func `Cancelling in the middle of redirects harms nothing`() async throws {
      try await service.control(.redirect(to: "/cars"))
      let cars = service.cars()
      let tasks = (1...40).map { _ in Task { try await cars.find(Criteria()) } }
      for task in tasks {
        _ = try await service.requests()
        task.cancel()
      }
      for task in tasks {
        let error = await failure { try await task.value }
        #expect(
          error is CancellationError || (error as? HTTPError)?.code == .redirectRefused
        )
      }
    }

    @Test func `An answer that still holds is not sent or decoded again`() async throws {
      let decoders = Record<Int>()
      let cars = service.cars {
        $0.decoder = {
          decoders.append(1)
          return JSONDecoder()
        }
      }
      let first = try await cars.find(["year": 1970])
      let second = try await cars.find(["year": 1970])
      #expect(first.value == second.value)
      // One is only asked how it reads keys.
      #expect(decoders.elements.count == 2)
      #expect(second.metadata["status"] as? Int == 304)
      #expect(second.metadata["etag"] as? String == first.metadata["etag"] as? String)
      #expect(second.metadata["totalCount"] as? Int == first.value.count)
      _ = try await cars.updateOne(car(1))
      let third = try await cars.find(["year": 1970])
      #expect(third.value.count == first.value.count - 1)
      let tags = try await service.requests().map { $0.headers["if-none-match"] }
      let etag = first.metadata["etag"] as? String
      #expect(tags == [nil, etag, nil, etag])
      #expect(try await service.requests().map(\.status) == [200, 304, 200, 200])
    }

    @Test func `Answers are remembered up to a size, the last used ones`() async throws {
      let cars = service.cars { $0.rememberedResponseSize = 500 }
      for id in [1, 2, 1, 3, 1, 2] { _ = try await cars.findOne(["id": id]) }
      #expect(try await service.requests().map(\.status) == [200, 200, 304, 200, 304, 200])
      let none = service.cars { $0.rememberedResponseSize = 0 }
      for _ in 1...2 {
        #expect(try await none.findOne(["id": 1]).metadata["status"] as? Int == 200)
      }
    }

    @Test func `What one account was answered is not asked about by another`() async throws {
      let account = Record<String>()
      let cars = service.cars {
        $0.authorization = { _ in account.elements.last }
      }
      for name in ["a", "b", "a"] {
        account.append(name)
        _ = try await cars.findOne(["id": 1])
      }
      #expect(try await service.requests().map(\.status) == [200, 200, 304])
    }

    @Test @MainActor func `Models are encoded and decoded away from the main actor`() async throws {
      let threads = Record<Bool>()
      let cars = service.cars {
        $0.decoder = {
          threads.append(Thread.isMainThread)
          return JSONDecoder()
        }
        $0.encoder = {
          threads.append(Thread.isMainThread)
          return JSONEncoder()
        }
      }
      _ = try await cars.storeOne(car(500))
      #expect(threads.elements.count >= 2 && !threads.elements.contains(true))
    }
  }
#endif
