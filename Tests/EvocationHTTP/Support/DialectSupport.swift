import Fixtures
import Foundation

#if os(macOS) || os(Linux)
  extension Service {
    /// Starts a service without models, which knows the fields of the cars.
    static func empty(_ dialect: Dialect, _ arguments: String...) async throws -> Service {
      try await start(dialect: dialect, arguments: ["--empty"] + arguments)
    }
  }
#endif
