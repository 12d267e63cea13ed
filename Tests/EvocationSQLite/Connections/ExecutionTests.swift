#if os(macOS) || os(Linux)
  @testable import SQLiteSupport
  import Fixtures
  import Foundation
  import TestTraits
  import Testing

  @Suite(.patient) struct ExecutionTests {
    @Test func `Long queries, more than there are cores, keep no other task from running`()
      async throws
    {
      // In a process of its own, because one in which they did would stand still for good.
      let folder = try TemporaryFolder()
      let child = try Child.start("wake", folder.path())
      let said = await withTaskCancellationHandler {
        await child.text
      } onCancel: {
        child.kill()
      }
      #expect(said == "read\nfind\n")
    }
  }
#endif
