import TestTraits
import Testing

@Suite(.patient) struct SampleTests {
  /// `scripts/types` plays a thousand others.
  @Test func `types of all shapes are the same in memory, in SQLite and over HTTP`() async throws {
    let problems = try await TypeTrials(seed: 20_261_124).problems(of: sampleTypes)
    #expect(problems == [])
  }
}
