import Evocation
import EvocationHTTP
import EvocationTesting
import Foundation
import Testing

@Suite struct HTTPPartialErrorTests {
  private struct Note: Codable, Identifiable, Sendable { var id: Int }

  @Test func `A fake of a service may fail half-way, and the app is told how far and why`()
    async throws
  {
    let cause = HTTPError(
      .server, method: "POST", url: URL(string: "https://example.com/notes"), status: 503,
      retryAfter: .seconds(7))
    let remote = RepositoryMock<Note> { _ in
      throw HTTPPartialError(done: ["1"], failed: ["2"], unsent: ["3", "4"], underlying: cause)
    }
    let evocation = Evocation()
    evocation.register(for: Note.self).repository(remote: remote).strategy(.remoteOnly)
    let result = await evocation.store((1...4).map { Note(id: $0) })
    let error = try #require(result.error as? HTTPPartialError)
    #expect(error.done == ["1"] && error.failed == ["2"] && error.unsent == ["3", "4"])
    #expect(error.failureKind == .transient)
    #expect(error.retryAfter == .seconds(7))
    #expect(
      error.description
        == "Only 1 of 4 models were written, one request after another, and 2 were not sent, "
        + "because of this error: POST /notes got 503, because the server failed; try again in 7 "
        + "s.")
  }
}
