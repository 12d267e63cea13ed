import Evocation
import EvocationHTTP
import Foundation
import TestSupport
import TestTraits
import Testing
import TransportSuite

/// A 409 may be about something else than the model that was written.
@Suite(.patient) struct HTTPOtherConflictTests {
  @Test(arguments: [true, false])
  func `Only the service's present model makes it a conflict of this one`(
    isChanged: Bool
  )
    async throws
  {
    let (reads, asked) = (Record<Int>(), Record<Int>())
    let service = Scripted { request in
      guard request.method == "GET" else {
        return (409, [:], #"{"message": "The name is taken.", "errors": {"name": ["Taken."]}}"#)
      }
      reads.append(1)
      // Before the write is sent, the service is compared with what the edit was made on.
      let name = isChanged && reads.elements.count > 2 ? "theirs" : "old"
      return (200, [:], #"{"id": 1, "name": "\#(name)"}"#)
    }
    let evocation = Evocation.flushedByHand()
    evocation.register(for: Thing.self).repository(remote: try service.things())
      .repository(local: InMemoryRepository<Thing>()).strategy(.offlineFirst)
      .conflicts { _ in
        asked.append(1)
        return .park
      }
    _ = await evocation.findOne(model: Thing.self, criteria: ["id": 1], rule: .remoteFirst)
    _ = await evocation.updateOne(Thing(id: 1, name: "new"))
    #expect(await evocation.outbox.flush().parked == 1)
    let entry = try #require(try await evocation.outbox.parked(Thing.self).first)
    #expect(entry.failure?.message == "The name is taken.")
    #expect(entry.failure?.fields == ["name": ["Taken."]])
    #expect(entry.failure?.kind == (isChanged ? .conflict : .permanent))
    #expect(asked.elements.count == (isChanged ? 1 : 0))
  }
}
