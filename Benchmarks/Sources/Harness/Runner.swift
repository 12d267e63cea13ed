import Foundation

/// Runs suites from a main function that is not async.
package enum Runner {
  /// Runs the suites one after another, prints their figures, and ends the process.
  ///
  /// The main thread runs its run loop at the same time, so that cases can measure the main actor. An
  /// async main would do that too, but ends its thread on Linux, which valgrind does not survive.
  package static func run(_ suites: [Suite], _ options: Options) -> Never {
    Task.detached {
      do {
        for suite in suites { try await run(suite, options) }
        exit(EXIT_SUCCESS)
      } catch {
        print("\(error)")
        exit(EXIT_FAILURE)
      }
    }
    while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
  }

  private static func run(_ suite: Suite, _ options: Options) async throws {
    let figures = try await suite.run(options)
    guard !figures.isEmpty else { return }
    let report = Report(suite: suite.name, figures: figures)
    print(options.printsJSON ? report.jsonLines : report.markdown)
  }
}
