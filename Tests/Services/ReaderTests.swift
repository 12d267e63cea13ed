import Fixtures
import Foundation
import TestTraits
import Testing

/// The reader of the examples, over a service that others have written.
@Suite(.patient) struct ReaderTests {
  @Test(arguments: RealService.running.filter { $0 == .pocketBase })
  func `The reader shows the same over PocketBase as over its own service`(
    service: RealService
  ) async throws {
    let expected = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Examples/Reader/expected.txt")
    // What its own service alone can be asked.
    let lines = try String(contentsOf: expected, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasSuffix("it was sent once") }
    try await service.emptyStars()
    let reader = try ChildProcess(
      ChildProcess.built("reader"),
      ["--script", "--service", "pocketbase", service.address.absoluteString])
    #expect(await reader.text { _ in false }.split(separator: "\n") == lines)
  }
}
