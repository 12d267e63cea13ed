internal import Foundation

#if canImport(os)
  internal import os
#endif

extension Evocation.Log {
  /// A log that writes calls to the standard error.
  public static var console: Self { console() }

  /// Returns a log on the standard error.
  ///
  /// - Parameters:
  ///   - levels: The levels to log.
  ///   - showsValues: Whether entries have the values of criteria and the texts of errors.
  /// - Returns: The log.
  public static func console(
    levels: Set<Level> = [.calls], showsValues: Bool = false
  ) -> Self {
    Self(levels: levels, showsValues: showsValues) { entry in
      // Writing to a closed standard error fails, and that must not end the process.
      try? FileHandle.standardError.write(contentsOf: Data("\(entry)\n".utf8))
    }
  }

  #if canImport(os)
    /// A log that writes calls to the system's log, under the subsystem `evocation`.
    public static var osLog: Self { osLog() }

    /// Returns a log in the system's log, under the subsystem `evocation`; failures are errors
    /// there.
    ///
    /// - Parameters:
    ///   - levels: The levels to log.
    ///   - showsValues: Whether entries have the values of criteria and the texts of errors.
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
