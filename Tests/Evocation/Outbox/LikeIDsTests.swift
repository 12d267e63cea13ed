import Evocation
import TestSupport
import TestTraits
import Testing

/// Ids that look alike and differ in bytes, whose writes the outbox holds in memory.
@Suite(.patient) struct LikeIDsTests {
  @Test func `both of two models whose ids look alike are kept and sent`() async throws {
    let both = ["5: 1", "6: 2"]
    #expect(try await LikeNamedApp.writesBoth(InMemoryRepository()) == [both, both, both])
  }

  @Test func `a change goes to the model that has the id's bytes`() async throws {
    let both = ["5: 3", "6: 2"]
    #expect(try await LikeNamedApp.changesOne(InMemoryRepository()) == [both, both])
  }

  @Test func `a removal takes the model that has the id's bytes`() async throws {
    #expect(
      try await LikeNamedApp.removesOne(InMemoryRepository()) == [["6: 3"], ["6: 3"], ["6: 3"]])
  }

  @Test func `references to ids that look alike are two`() {
    let references = [LikeNamed.composed, .decomposed].map {
      Outbox.Reference(queue: "names", key: $0.id)
    }
    #expect(references[0] != references[1])
    #expect(Set(references).count == 2)
    #expect(references[0] != Outbox.Reference(queue: "other", key: references[0].key))
  }
}
