import Foundation

/// The processor time that this process has used.
enum ProcessorTime {
  /// The time in nanoseconds of all threads, including time in the system.
  static var nanoseconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
