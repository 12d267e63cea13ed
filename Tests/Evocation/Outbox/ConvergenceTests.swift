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
      let child = try ChildProcess(ChildProcess.built("Convergence"), ["1"])
      let text = await child.text { _ in false }
      #expect(text.hasSuffix("It converges.\n"), "\(text.suffix(20_000))")
      print(text)
    }
  }
#endif
