#if os(macOS) || os(Linux)
  import Foundation
  import TestTraits
  import Testing

  @testable import Fixtures

  @Suite(.patient) struct ChildProcessTests {
    private let shell = URL(filePath: "/bin/sh")

    @Test func `What it says is read, errors too, and what it is told reaches it`() async throws {
      let child = try ChildProcess(
        shell, ["-c", "read line; echo \"$0 $line\"; echo bad >&2", "a b"])
      try child.write("hello\n")
      #expect(await child.text { _ in false } == "a b hello\nbad\n")
    }

    @Test func `A program that is not there is an error that says so`() {
      let error = #expect(throws: POSIXError.self) {
        _ = try ChildProcess(URL(filePath: "/no/such/program"), [])
      }
      #expect(error?.code == .ENOENT)
    }

    @Test func `A child has no file open but its own three, however many this process has`()
      async throws
    {
      let file = open("/dev/null", O_RDONLY)
      defer { close(file) }
      let copies = (0..<300).map { _ in dup(file) }
      defer { for copy in copies { close(copy) } }
      let child = try ChildProcess(shell, ["-c", "ls /dev/fd | wc -l"])
      let count = Int(
        await child.text { _ in false }.trimmingCharacters(in: .whitespacesAndNewlines))
      // Its three, and the folder that it lists.
      #expect(try #require(count) <= 5)
    }

    @Test
    func
      `A process that does not end when it is asked is made to, and ending it again does nothing`()
      async throws
    {
      let child = try ChildProcess(
        shell, ["-c", "trap '' TERM; echo ready; while :; do sleep 1; done"])
      _ = await child.text { $0.contains("ready") }
      child.end()
      child.end()
      child.kill()
    }
  }
#endif
