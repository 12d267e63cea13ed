#if os(macOS) || os(Linux)
  import Foundation

  extension Service {
    /// A process that runs a service, and then waits for who starts one next.
    final class Lent: @unchecked Sendable {  // the lock guards both
      private static let lock = NSLock()
      nonisolated(unsafe) private static var idle: [ChildProcess] = []
      private var process: ChildProcess?

      init(_ process: ChildProcess) {
        self.process = process
      }

      deinit {
        giveBack()
      }

      /// A process that nobody has.
      static func takeIdle() -> ChildProcess? {
        lock.withLock {
          idle.removeAll { !$0.isRunning }
          return idle.popLast()
        }
      }

      /// Ends the service, and keeps its process when it says that it has.
      func giveBack() {
        let own = Self.lock.withLock {
          defer { process = nil }
          return process
        }
        guard let own else { return }
        guard own.isRunning, (try? own.write("[]\n")) != nil,
          own.line(within: .seconds(2)) == "ended\n"
        else { return own.end() }
        Self.lock.withLock { Self.idle.append(own) }
      }
    }
  }
#endif
