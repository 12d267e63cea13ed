internal import CEvocationSQLite
internal import Dispatch
internal import Evocation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Calls back when any process writes one of a few files, and opens none of them.
///
/// Closing a file releases every lock that the process has on it, including SQLite's locks.
///
/// A watch begins paused. Writes during a pause cause one call, when the watch resumes. Do not use
/// it on several threads at the same time.
protocol FileWatch: AnyObject {
  /// The source that calls back.
  var source: PausedSource { get }

  /// Forgets earlier writes, and watches the new file if one has been replaced.
  ///
  /// - Returns: Whether all files exist and are watched.
  func renew() -> Bool
}

extension FileWatch {
  /// Delays the calls for later writes.
  func pause() { source.pause() }

  /// Makes the delayed calls, and those for later writes.
  func resume() { source.resume() }
}

/// A source that begins paused, and ends with its owner.
final class PausedSource {
  private let source: any DispatchSourceProtocol
  private var isPaused = true

  init(_ source: any DispatchSourceProtocol) {
    self.source = source
  }

  deinit {
    source.cancel()
    // Dispatch never releases a paused source.
    resume()
  }

  func pause() {
    guard !isPaused else { return }
    isPaused = true
    source.suspend()
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    source.resume()
  }
}

/// Begins to watch; nil if the system does not allow it, or a file does not exist.
///
/// It leaves the group when it holds no file any more.
typealias FileWatching =
  @Sendable (
    _ paths: [String], _ queue: DispatchQueue, _ open: DispatchGroup,
    _ onWrite: @escaping @Sendable () -> Void
  ) -> (any FileWatch)?

#if canImport(Darwin)
  /// The kind of watch for this system's files.
  typealias SystemFileWatch = StatusWatch
#else
  typealias SystemFileWatch = NotifiedWatch
#endif

/// Regularly asks the system when the files were last written.
final class StatusWatch: FileWatch {
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private let paths: [String]
  let source: PausedSource
  private let last: Lock<[Status]?>

  /// The properties of a file that change when it is written or replaced.
  private struct Status: Equatable {
    let file: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Reads the properties by path, which opens no file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      file = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int64(status.st_size)
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
  }

  init?(
    _ paths: [String], _ queue: DispatchQueue, _ open: DispatchGroup,
    _ onWrite: @escaping @Sendable () -> Void
  ) {
    guard let present = Self.present(paths) else { return nil }
    self.paths = paths
    let last = Lock<[Status]?>(present)
    self.last = last
    let timer = DispatchSource.makeTimerSource(queue: queue)
    source = PausedSource(timer)
    timer.schedule(deadline: .now() + Self.pause, repeating: Self.pause, leeway: Self.pause)
    timer.setEventHandler {
      let present = Self.present(paths)
      let isWritten = last.withLock { last in
        defer { last = present }
        return last != present
      }
      if isWritten { onWrite() }
    }
  }

  func renew() -> Bool {
    let present = Self.present(paths)
    last.withLock { $0 = present }
    return present != nil
  }

  /// Returns the known properties of the files; nil if one does not exist.
  private static func present(_ paths: [String]) -> [Status]? {
    let present = paths.compactMap(Status.init)
    return present.count == paths.count ? present : nil
  }
}

#if !canImport(Darwin)
  /// Is notified by the system when the files are written.
  final class NotifiedWatch: FileWatch {
    private let paths: [String]
    private let descriptor: Int32
    let source: PausedSource

    init?(
      _ paths: [String], _ queue: DispatchQueue, _ open: DispatchGroup,
      _ onWrite: @escaping @Sendable () -> Void
    ) {
      self.paths = paths
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      self.descriptor = descriptor
      guard descriptor >= 0 else { return nil }
      let reading = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source = PausedSource(reading)
      reading.setEventHandler(handler: onWrite)
      open.enter()
      reading.setCancelHandler {
        close(descriptor)
        open.leave()
      }
      guard renew() else { return nil }
    }

    func renew() -> Bool {
      var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
      let events = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF)
      return paths.allSatisfy { inotify_add_watch(descriptor, $0, events) >= 0 }
    }
  }
#endif

extension Connection {
  /// The path of the file after its links, with the log beside it; nil in memory.
  var resolvedPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
}
