#if os(Linux)
  import CEvocationSQLite
  import Evocation
  import Glibc

  /// The locks that SQLite asks the system for and does not get, because another process has them.
  enum RefusedLocks {
    private static let listeners = Lock<[String: AsyncStream<Void>.Continuation]>([:])

    /// Says each time that a lock on this file is refused from now on; one listens to a file.
    static func on(_ path: String) -> AsyncStream<Void> {
      _ = isInstalled
      let (refusals, listener) = AsyncStream<Void>.makeStream()
      listener.onTermination = { _ in listeners.withLock { _ = $0.removeValue(forKey: path) } }
      listeners.withLock { $0[path] = listener }
      return refusals
    }

    fileprivate static func tell(_ descriptor: Int32) {
      let listeners = listeners.withLock { $0 }
      guard !listeners.isEmpty, let path = FailingSystem.path(descriptor) else { return }
      listeners[path]?.yield()
    }

    private static let isInstalled: Bool = {
      guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else {
        return false
      }
      typealias Controlling = @convention(c) (Int32, Int32, Int) -> Int32
      let control = unsafeBitCast(tellingControl as Controlling, to: sqlite3_syscall_ptr.self)
      return set(system, "fcntl", control) == SQLITE_OK
    }()
  }

  // The last argument is a number or an address, as the command has it, and goes through as it is.
  private func tellingControl(_ descriptor: Int32, _ command: Int32, _ argument: Int) -> Int32 {
    guard let address = UnsafeMutableRawPointer(bitPattern: argument) else {
      return fcntl(descriptor, command, 0)
    }
    let result = fcntl(descriptor, command, address)
    if result == -1, command == F_SETLK {
      let number = errno
      RefusedLocks.tell(descriptor)
      errno = number
    }
    return result
  }
#endif
