internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Calls back when one of a few files is written, whichever process writes.
///
/// It begins paused. What is written during a pause is told once, when it goes on. It is not for
/// several threads at a time.
final class FileWatch {
  private let paths: [String]
  private var sources: [any DispatchSourceProtocol] = []
  private var isPaused = true

  #if !canImport(Darwin)
    private let descriptor: Int32
  #endif

  /// Begins to watch, or gives nil when the system does not let us, or a file is not there.
  ///
  /// The group is left when the files that it has open for that are closed.
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
    // The system does not let go of what is paused.
    resume()
  }

  /// Forgets what was written so far, and watches files that have been replaced since.
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

  /// Keeps back what is written from now on.
  func pause() {
    guard !isPaused else { return }
    isPaused = true
    for source in sources { source.suspend() }
  }

  /// Tells what is written from now on, and what was kept back.
  func resume() {
    guard isPaused else { return }
    isPaused = false
    for source in sources { source.resume() }
  }
}
