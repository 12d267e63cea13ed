internal import Foundation

#if canImport(os)
  internal import os
#endif

extension Evocation.Log {
  /// Writes calls to the standard error: in colours on a terminal, in plain text anywhere else.
  public static var console: Self { console() }

  /// Writes to the standard error: in colours on a terminal, in plain text anywhere else.
  ///
  /// Where the environment has `NO_COLOR`, a terminal gets plain text too.
  ///
  /// - Parameters:
  ///   - levels: What is logged.
  ///   - showsValues: Whether the values of criteria and the texts of errors are logged too.
  /// - Returns: The log.
  public static func console(
    levels: Set<Level> = [.calls], showsValues: Bool = false
  ) -> Self {
    let isColored =
      isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
    return Self(levels: levels, showsValues: showsValues) { entry in
      let line = isColored ? entry.colored : entry.description
      // A standard error that was closed takes nothing, which is no reason to end the process.
      try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
  }

  #if canImport(os)
    /// Writes calls to the system's log, under the subsystem `evocation`.
    public static var osLog: Self { osLog() }

    /// Writes to the system's log, under the subsystem `evocation`; what failed as an error.
    ///
    /// - Parameters:
    ///   - levels: What is logged.
    ///   - showsValues: Whether the values of criteria and the texts of errors are logged too.
    /// - Returns: The log.
    public static func osLog(
      levels: Set<Level> = [.calls], showsValues: Bool = false
    ) -> Self {
      let logger = Logger(subsystem: "evocation", category: "calls")
      return Self(levels: levels, showsValues: showsValues) { entry in
        if case .call(let call) = entry, call.error != nil {
          logger.error("\(entry.description, privacy: .public)")
        } else {
          logger.notice("\(entry.description, privacy: .public)")
        }
      }
    }
  #endif
}
