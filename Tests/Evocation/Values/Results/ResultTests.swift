import Evocation
import TestTraits
import Testing

@testable import CoreSupport

/// What a result gives, and what a test makes of one.
@Suite(.patient) struct ResultTests {
  @Test func `an answer without a model says so where one is asked for`() async {
    let evocation = Evocation()
    evocation.register(for: Car.self).repository(local: InMemoryRepository<Car>())
      .strategy(.localOnly)
    let result = await evocation.findOne(model: Car.self, criteria: ["id": 1])
    #expect(result.error == nil)
    let error = #expect(throws: EvocationError.self) { try result.get() }
    #expect(
      error?.description
        == "The call succeeded, but it returned no data; read `data` where no data is a valid "
        + "answer.")
  }

  @Test func `a result that a test makes has the metadata that it was given`() {
    var metadata = Evocation.MetadataByRepository()
    for type in Evocation.RepositoryType.allCases { #expect(metadata[type] == nil) }
    metadata[.local] = .init(role: .fallback, count: 2, values: ["page": 3])
    let result = Evocation.Result(data: [Car(id: 1)], origin: .local, metadata: metadata)
    #expect(result.didFallBack)
    #expect(result.metadata[.local]?.count == 2)
    #expect(result.metadata[.local]?["page"] as? Int == 3)
    #expect(result.metadata[.remote] == nil)
  }
}
