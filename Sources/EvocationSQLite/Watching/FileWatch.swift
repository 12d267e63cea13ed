internal import CEvocationSQLite
internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Calls back when one of a few files is written, by any process.
///
/// It begins paused. Writes during a pause cause one call, when it goes on. It must not be used on
/// several threads at once.
final class FileWatch {
  private let paths: [String]
  private var sources: [any DispatchSourceProtocol] = []
  private var isPaused = true

  #if !canImport(Darwin)
    private let descriptor: Int32
  #endif

  /// Begins to watch; nil when the system does not allow it, or a file is not there.
  ///
  /// The group is left when the files are closed.
  init?(
    _ paths: [String], on queue: DispatchQueue, _ open: DispatchGroup = DispatchGroup(),
    _ onWrite: @escaping @Sendable () -> Void
  ) {
    self.paths = paths
    #if canImport(Darwin)
      for path in paths {
        let descriptor = Darwin.open(path, O_EVTONLY)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
        source.setEventHandler(handler: onWrite)
        open.enter()
        source.setCancelHandler {
          Darwin.close(descriptor)
          open.leave()
        }
        sources.append(source)
      }
    #else
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      self.descriptor = descriptor
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler(handler: onWrite)
      open.enter()
      source.setCancelHandler {
        close(descriptor)
        open.leave()
      }
      sources = [source]
      guard renew() else { return nil }
    #endif
  }

  deinit {
    for source in sources { source.cancel() }
    // A paused source is never released.
    resume()
  }

  /// Forgets earlier writes, and watches the new file where one has been replaced.
  ///
  /// - Returns: Whether all files are there and watched.
  func renew() -> Bool {
    #if canImport(Darwin)
      return paths.allSatisfy { access($0, F_OK) == 0 }
    #else
      var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))
      while read(descriptor, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
      let events = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF)
      return paths.allSatisfy { inotify_add_watch(descriptor, $0, events) >= 0 }
    #endif
  }

  /// Holds back the calls for what is written from now on.
  func pause() {
    guard !isPaused else { return }
    isPaused = true
    for source in sources { source.suspend() }
  }

  /// Makes the calls that were held back, and those for what is written from now on.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    for source in sources { source.resume() }
  }
}

extension Connection {
  /// The path of the file after its links, beside which the log lies; nil in memory.
  var resolvedPath: String? {
    sqlite3_db_filename(handle, "main").map { String(cString: $0) }.flatMap {
      $0.isEmpty ? nil : $0
    }
  }
}
