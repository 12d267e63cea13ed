#if os(macOS) || os(Linux)
  package import Foundation

  /// A process that ends when it is let go, and when this process is gone: its input closes then.
  package final class ChildProcess: Sendable {
    // Started one at a time: on Linux a process started meanwhile would inherit the open pipes.
    private static let launch = NSLock()
    private let id: Int32
    private let ended = DispatchGroup()
    private let lifeline: Int32
    private let output: Int32

    /// Starts a process, whose output and errors are read as one text.
    package init(_ executable: URL, _ arguments: [String]) throws {
      Self.launch.lock()
      defer { Self.launch.unlock() }
      let input = Pipe()
      let output = Pipe()
      let process = Process()
      process.executableURL = executable
      process.arguments = arguments
      process.standardInput = input
      process.standardOutput = output
      process.standardError = output
      // Copies, because the pipes close their own ends when they go; no other child inherits these.
      lifeline = fcntl(input.fileHandleForWriting.fileDescriptor, F_DUPFD_CLOEXEC, 0)
      self.output = fcntl(output.fileHandleForReading.fileDescriptor, F_DUPFD_CLOEXEC, 0)
      ended.enter()
      process.terminationHandler = { [ended] _ in ended.leave() }
      do {
        try process.run()
        id = process.processIdentifier
      } catch {
        id = 0
        ended.leave()
        throw error
      }
    }

    deinit {
      end()
      close(lifeline)
      close(output)
    }

    /// The text so far, once it is what is waited for, or all of it, if it ends before.
    package func text(until isComplete: (String) -> Bool) async -> String {
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while !isComplete(String(decoding: bytes, as: UTF8.self)) {
        await readable()
        let count = read(output, &chunk, chunk.count)
        guard count > 0 else { break }
        bytes += chunk.prefix(count)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Asks the process to end, makes it after two seconds, and waits until it has.
    ///
    /// Ending it again does nothing, since its id may be another process's by then.
    package func end() {
      guard ended.wait(timeout: .now()) == .timedOut else { return }
      Foundation.kill(id, SIGTERM)
      guard ended.wait(timeout: .now() + 2) == .timedOut else { return }
      kill()
    }

    /// Ends the process without asking it, and waits until it has ended.
    package func kill() {
      guard ended.wait(timeout: .now()) == .timedOut else { return }
      Foundation.kill(id, SIGKILL)
      ended.wait()
    }

    private func readable() async {
      let source = DispatchSource.makeReadSource(fileDescriptor: output)
      await withCheckedContinuation { continuation in
        source.setEventHandler { source.cancel() }
        source.setCancelHandler { continuation.resume() }
        source.resume()
      }
    }
  }
#endif
