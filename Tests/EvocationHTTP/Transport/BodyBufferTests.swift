import Evocation
import Foundation
import TestTraits
import Testing

@testable import EvocationHTTP

@Suite(.patient) struct BodyBufferTests {
  @Test func `Pieces come in their order, and then the end`() async throws {
    for end in [Result<Void, any Error>.success(()), .failure(HTTPError(.connectionLost))] {
      let buffer = BodyBuffer(limit: 10)
      for number in 1...3 { #expect(buffer.add(Data(repeating: UInt8(number), count: number))) }
      #expect(buffer.add(Data()))
      buffer.finish(end)
      buffer.finish(.failure(HTTPError(.refused)))
      #expect(buffer.add(Data(count: 100)))
      for number in 1...3 { #expect(try await buffer.next()?.count == number) }
      if case .success = end {
        #expect(try await buffer.next() == nil)
      } else {
        let error = await failure { try await buffer.next() } as? HTTPError
        #expect(error?.code == .connectionLost)
      }
    }
  }

  @Test func `A reader that waits is woken by a piece and by the end`() async throws {
    let buffer = BodyBuffer(limit: 10)
    for _ in 0..<100 {
      let reader = Task { try await buffer.next() }
      await Task.yield()
      _ = buffer.add(Data(count: 1))
      #expect(try await reader.value?.count == 1)
    }
    let reader = Task { try await buffer.next() }
    await Task.yield()
    buffer.finish(.success(()))
    #expect(try await reader.value == nil)
  }

  @Test func `What does not fit is refused, and a canceled reader gets nothing more`() async throws
  {
    let buffer = BodyBuffer(limit: 10)
    #expect(buffer.add(Data(count: 10)))
    #expect(!buffer.add(Data(count: 1)))
    #expect(try await buffer.next()?.count == 10)
    #expect(buffer.add(Data(count: 10)))
    buffer.finish(.failure(CancellationError()))
    await #expect(throws: CancellationError.self) { try await buffer.next() }
  }

  @Test func `The sender is held back while much waits, once each time`() async throws {
    let held = Record<Bool>()
    let buffer = BodyBuffer(limit: 20) { held.append($0) }
    for _ in 0..<16 { #expect(buffer.add(Data(count: 1))) }
    #expect(held.elements == [true])
    for _ in 0..<10 { _ = try await buffer.next() }
    #expect(held.elements == [true])
    _ = try await buffer.next()
    #expect(held.elements == [true, false])
    for _ in 0..<6 { #expect(buffer.add(Data(count: 1))) }
    #expect(held.elements == [true, false, true])
  }
}
