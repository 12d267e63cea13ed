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

    @Test func `As many tasks as there are threads make repositories beside a write`() async throws
    {
      let folder = try TemporaryFolder()
      let child = try Child.start("make", folder.path())
      DispatchQueue(label: "end").asyncAfter(deadline: .now() + .seconds(60)) { child.kill() }
      #expect(await child.text == "made\n")
    }
  }
#endif
