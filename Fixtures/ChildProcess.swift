#if os(macOS) || os(Linux)
  package import Foundation

  /// A process that ends when it is let go, and when this process is gone: its input closes then.
  ///
  /// Foundation's `Process` is not behind it: on Linux it reads past the end of a directory's entry when
  /// many files are open, and ends the tests now and then.
  package final class ChildProcess: Sendable {
    private let id: pid_t
    private let ended = DispatchGroup()
    /// Held while the process is signalled or its end is taken note of: after that its id may be
    /// another's.
    private let ending = NSLock()
    private let input: Int32
    private let output: Int32

    /// Starts a process, whose output and errors are read as one text.
    ///
    /// - Throws: `POSIXError` when there is no such file, or it cannot be run.
    package init(_ executable: URL, _ arguments: [String]) throws {
      let (input, output) = (try Self.pipe(), try Self.pipe())
      defer { for end in [input.read, output.write] { close(end) } }
      (self.input, self.output) = (input.write, output.read)
      do {
        id = try Self.spawn(executable.path, arguments, [input.read, output.write, output.write])
      } catch {
        for end in [input.write, output.read] { close(end) }
        throw error
      }
      ended.enter()
      Thread.detachNewThread { [id, ended, ending] in
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        ending.withLock {
          waitpid(id, nil, 0)
          ended.leave()
        }
      }
    }

    deinit {
      end()
      close(input)
      close(output)
    }

    /// Whether it has not ended yet.
    package var isRunning: Bool { ended.wait(timeout: .now()) == .timedOut }

    /// Writes to its input.
    package func write(_ text: String) throws {
      try FileHandle(fileDescriptor: input).write(contentsOf: Data(text.utf8))
    }

    /// A line of its output, on this thread; what has come of it, if it ends or takes longer.
    package func line(within limit: Duration) -> String {
      let deadline = ContinuousClock.now + limit
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while bytes.last != UInt8(ascii: "\n") {
        let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
        var place = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        let found = poll(&place, 1, Int32(max(0, left)))
        if found < 0, errno == EINTR { continue }
        guard found > 0, read(output, &byte, 1) == 1 else { break }
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
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
    /// Ending it again does nothing.
    package func end() {
      signal(SIGTERM)
      guard ended.wait(timeout: .now() + 2) == .timedOut else { return }
      kill()
    }

    /// Ends the process without asking it, and waits until it has ended.
    package func kill() {
      signal(SIGKILL)
      ended.wait()
    }

    private func signal(_ number: Int32) {
      ending.withLock {
        if isRunning { _ = Foundation.kill(id, number) }
      }
    }

    /// Waits on a thread of its own until there is something to read, or the end.
    ///
    /// A dispatch source does not wait in its place: on Linux the end of a pipe can let libdispatch use
    /// what it has freed (swift-corelibs-libdispatch, issue 949), which ends the tests now and then.
    private func readable() async {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [output] in
          var place = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
          while poll(&place, 1, -1) < 0, errno == EINTR {}
          continuation.resume()
        }
      }
    }
  }

  extension ChildProcess {
    /// Where an executable of this package was built: beside the tests.
    package static func built(_ name: String) -> URL {
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      let tests =
        bundle.bundlePath.hasSuffix(".xctest")
        ? bundle.bundleURL : Bundle.main.executableURL ?? bundle.bundleURL
      return tests.deletingLastPathComponent().appending(path: name)
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
      var ends: [Int32] = [0, 0]
      guard Foundation.pipe(&ends) == 0 else { throw error(errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }

    /// Starts a process that has three files open and no others, and that no signal is kept from.
    private static func spawn(
      _ path: String, _ arguments: [String], _ files: [Int32]
    ) throws -> pid_t {
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
      #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        let flags = POSIX_SPAWN_SETSIGMASK
      #endif
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      for (number, file) in files.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
      }
      #if !canImport(Darwin)
        for other in Int32(files.count)..<min(getdtablesize(), 4096) {
          posix_spawn_file_actions_addclose(&actions, other)
        }
      #endif
      var none = sigset_t()
      sigemptyset(&none)
      posix_spawnattr_setsigmask(&attributes, &none)
      posix_spawnattr_setflags(&attributes, Int16(flags))
      // Swift's backtracer would hold the output open if the process is killed while it crashes.
      let variables = ProcessInfo.processInfo.environment.merging(
        ["SWIFT_BACKTRACE": "enable=no"], uniquingKeysWith: { $1 })
      let environment = variables.map { "\($0)=\($1)" }
      return try withCopies([path] + arguments) { arguments in
        try withCopies(environment) { environment in
          var id: pid_t = 0
          let code = posix_spawn(&id, path, &actions, &attributes, arguments, environment)
          guard code == 0 else { throw error(code) }
          return id
        }
      }
    }

    /// Gives texts as C takes a list of them.
    private static func withCopies<Value>(
      _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Value
    ) rethrows -> Value {
      let copies = texts.map { strdup($0) }
      defer { for copy in copies { free(copy) } }
      return try body(copies + [nil])
    }

    private static func error(_ number: Int32) -> POSIXError {
      POSIXError(POSIXErrorCode(rawValue: number) ?? .EINVAL)
    }
  }
#endif
