#if os(Linux)
  import CEvocationSQLite
  import Evocation
  import Glibc

  /// System calls that fail for one file when SQLite makes them, as those of a broken disk do.
  ///
  /// SQLite lets its system calls be put in place of; those for all other files go through.
  enum FailingSystem {
    enum Call: Sendable { case open, read }

    private struct Rule {
      let call: Call
      let path: String
      let number: Int32
      var skipped: Int
      var left: Int
    }

    private static let rules = Lock<[Rule]>([])

    /// Has the next calls for a file fail with a number of the system's; all of them unless told.
    static func fail(
      _ call: Call, _ path: String, with number: Int32, after skipped: Int = 0, times: Int = .max
    ) {
      install()
      let rule = Rule(call: call, path: path, number: number, skipped: skipped, left: times)
      rules.withLock { $0.append(rule) }
    }

    /// Lets the calls for a file through again.
    static func mend(_ path: String) { rules.withLock { $0.removeAll { $0.path == path } } }

    /// The number with which this call fails, or nil when it goes through.
    fileprivate static func failure(_ call: Call, _ path: () -> String?) -> Int32? {
      rules.withLock { rules in
        guard !rules.isEmpty, let path = path(),
          let index = rules.firstIndex(where: { $0.call == call && $0.path == path && $0.left > 0 })
        else { return nil }
        guard rules[index].skipped == 0 else {
          rules[index].skipped -= 1
          return nil
        }
        rules[index].left -= 1
        return rules[index].number
      }
    }

    static func path(_ descriptor: Int32) -> String? {
      var bytes = [CChar](repeating: 0, count: 4_096)
      let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
      return count < 0
        ? nil : String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func install() { _ = isInstalled }

    private static let isInstalled: Bool = {
      guard let system = sqlite3_vfs_find(nil), let set = system.pointee.xSetSystemCall else {
        return false
      }
      typealias Opening = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32
      typealias Reading = @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int) -> Int
      _ = set(system, "open", unsafeBitCast(failingOpen as Opening, to: sqlite3_syscall_ptr.self))
      let reading = unsafeBitCast(failingRead as Reading, to: sqlite3_syscall_ptr.self)
      for name in ["pread", "pread64"] { _ = set(system, name, reading) }
      return true
    }()
  }

  private func failingOpen(_ path: UnsafePointer<CChar>?, _ flags: Int32, _ mode: Int32) -> Int32 {
    guard let path else { return -1 }
    if let number = FailingSystem.failure(.open, { String(cString: path) }) {
      errno = number
      return -1
    }
    return open(path, flags, mode_t(mode))
  }

  private func failingRead(
    _ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int
  ) -> Int {
    if let number = FailingSystem.failure(.read, { FailingSystem.path(descriptor) }) {
      errno = number
      return -1
    }
    return pread(descriptor, bytes, count, offset)
  }
#endif
