#if os(macOS) || os(Linux)
  import Fixtures
  import Foundation
  import Testing

  /// The simulation runs in a process of its own, `Tests/Convergence`, because it takes the jobs of all
  /// tasks in its process, to run them in an order that a seed decides.
  @Suite(.timeLimit(.minutes(240)))
  struct ConvergenceTests {
    @Test func `devices and their service agree, whatever network, users and kills did`()
      async throws
    {
      let text = try await said(by: [])
      #expect(text.hasSuffix("It converges.\n"), "\(text.suffix(20_000))")
      print(text)
    }

    @Test func `a seed comes to the same in every process, whatever was played before it`()
      async throws
    {
      let forth = try await said(by: ["digests"]).split(separator: "\n")
      let back = try await said(by: ["back"]).split(separator: "\n")
      #expect(forth.count == 20)
      #expect(forth == back.reversed())
    }

    private func said(by arguments: [String]) async throws -> String {
      let child = try ChildProcess(ChildProcess.built("Convergence"), arguments)
      return await child.text { _ in false }
    }
  }
#endif
