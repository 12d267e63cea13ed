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
    private let log: String
    private let source: any DispatchSourceRead

    /// Calls the handler on the queue when the log is first written; nil if the system does not report.
    init?(of log: String?, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      guard let log else { return nil }
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      // A user has a limited number of them.
      guard descriptor >= 0 else { return nil }
      (self.descriptor, self.log) = (descriptor, log)
      source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler {
        var bytes = [UInt8](repeating: 0, count: 1_024)
        while read(descriptor, &bytes, bytes.count) > 0 {}
        handler()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      guard askForNext() else { return nil }
    }

    deinit { source.cancel() }

    /// Lets the handler be called once more, when the log is next written.
    ///
    /// A log that is written without a pause would otherwise wake the queue each time.
    @discardableResult
    func askForNext() -> Bool {
      let events = UInt32(truncatingIfNeeded: IN_MODIFY) | UInt32(truncatingIfNeeded: IN_ONESHOT)
      return inotify_add_watch(descriptor, log, events) >= 0
    }
  #else
    init?(of log: String?, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      nil
    }

    func askForNext() {}
  #endif
}
