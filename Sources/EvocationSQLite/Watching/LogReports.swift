internal import Dispatch
internal import Evocation
internal import Foundation

/// Reports of the system that a database's log was written.
///
/// Only Linux has them: its system watches a file by its path. Elsewhere the file would have to be
/// opened. The log exists as long as the database has a connection, which ends the watch before.
final class LogReports {
  #if os(Linux)
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private var isHeld = false

    /// Begins to call the handler on the queue; nil if the system does not report.
    init?(of log: String?, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      guard let log else { return nil }
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      // A user has a limited number of them.
      guard descriptor >= 0 else { return nil }
      guard inotify_add_watch(descriptor, log, UInt32(IN_MODIFY)) >= 0 else {
        close(descriptor)
        return nil
      }
      self.descriptor = descriptor
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler(handler: handler)
      source.setCancelHandler { close(descriptor) }
      source.resume()
    }

    deinit {
      // A source that is held must not be released.
      hold(false)
      source.cancel()
    }

    /// Keeps later reports, or lets them be made again.
    func hold(_ isHeld: Bool) {
      guard isHeld != self.isHeld else { return }
      self.isHeld = isHeld
      if isHeld { source.suspend() } else { source.resume() }
    }

    /// Takes the reports that were made since, and returns whether there were any.
    func take() -> Bool {
      var bytes = [UInt8](repeating: 0, count: 1_024)
      var isAny = false
      while read(descriptor, &bytes, bytes.count) > 0 { isAny = true }
      return isAny
    }
  #else
    init?(of log: String?, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      nil
    }

    func hold(_ isHeld: Bool) {}

    func take() -> Bool { false }
  #endif
}
