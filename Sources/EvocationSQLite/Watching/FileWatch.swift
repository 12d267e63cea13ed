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

/// Calls back when one of a few files is written, by any process, and opens none of them.
///
/// Closing a file lets go of every lock that the process has on it, those of SQLite too.
///
/// It begins paused. Writes during a pause cause one call, when it goes on. It must not be used on
/// several threads at once.
protocol FileWatch: AnyObject {
  /// What calls back.
  var source: PausedSource { get }

  /// Forgets earlier writes, and watches the new file where one has been replaced.
  ///
  /// - Returns: Whether all files are there and watched.
  func renew() -> Bool
}

extension FileWatch {
  /// Holds back the calls for what is written from now on.
  func pause() { source.pause() }

  /// Makes the calls that were held back, and those for what is written from now on.
  func resume() { source.resume() }
}

/// A source that begins paused, and ends with whoever holds it.
final class PausedSource {
  private let source: any DispatchSourceProtocol
  private var isPaused = true

  init(_ source: any DispatchSourceProtocol) {
    self.source = source
  }

  deinit {
    source.cancel()
    // A paused source is never released.
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

/// Begins to watch; nil when the system does not allow it, or a file is not there.
///
/// The group is left when nothing is held any more.
typealias FileWatching =
  @Sendable (
    _ paths: [String], _ queue: DispatchQueue, _ open: DispatchGroup,
    _ onWrite: @escaping @Sendable () -> Void
  ) -> (any FileWatch)?

#if canImport(Darwin)
  /// The way in which this system's files are watched.
  typealias SystemFileWatch = StatusWatch
#else
  typealias SystemFileWatch = NotifiedWatch
#endif

/// Asks the system now and then when the files were last written.
final class StatusWatch: FileWatch {
  private static let pause = DispatchTimeInterval.milliseconds(50)

  private let paths: [String]
  let source: PausedSource
  private let last: Lock<[Status]?>

  /// What changes of a file when it is written, or replaced.
  private struct Status: Equatable {
    let file: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Asked by the path, which opens nothing.
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

  /// What is known of the files; nil where one is not there.
  private static func present(_ paths: [String]) -> [Status]? {
    let present = paths.compactMap(Status.init)
    return present.count == paths.count ? present : nil
  }
}

#if !canImport(Darwin)
  /// Is told by the system when the files are written.
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
  /// The path of the file after its links, beside which the log lies; nil in memory.
  var resolvedPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
}
