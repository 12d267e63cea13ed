import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// How long the system has been running; it counts on while the system sleeps, and nobody sets it.
package struct Uptime: Sendable, Hashable {
  /// Identifies the start of the system: after a restart it is another number, always above 1.
  package let boot: Int64
  /// The time since the start.
  package let time: Duration

  /// Creates an uptime.
  package init(boot: Int64, time: Duration) {
    self.boot = boot
    self.time = time
  }

  /// The present uptime; nil where the system does not identify its start.
  static var present: Uptime? {
    first.map { Uptime(boot: $0.boot, time: $0.time.adding($1.duration(to: .now))) }
  }

  /// The uptime when the process first asked for it, from which `ContinuousClock` goes on.
  private static let first: (Uptime, at: ContinuousClock.Instant)? = {
    guard let id = UUID(uuidString: identifier), let time = seconds.flatMap(Duration.init(nearest:))
    else { return nil }
    let number = withUnsafeBytes(of: id.uuid) { $0.loadUnaligned(as: Int64.self) }
    return (Uptime(boot: number & .max | 2, time: time), at: .now)
  }()

  #if canImport(Darwin)
    /// The identifier that the system draws at each start.
    private static var identifier: String {
      var (bytes, count) = ([UInt8](repeating: 0, count: 64), 63)
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return "" }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static var seconds: Double? { Double(clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW)) / 1e9 }
  #else
    /// The identifier that the system draws at each start.
    private static var identifier: String { read("/proc/sys/kernel/random/boot_id") }

    private static var seconds: Double? { Double(read("/proc/uptime")) }

    /// Returns the first word of a file; an empty text where it cannot be read.
    private static func read(_ path: String) -> String {
      let text = try? String(contentsOfFile: path, encoding: .utf8)
      return text?.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }
  #endif
}

/// A clock that also has an uptime, as tests need it.
package protocol UptimeClock: DateClock {
  /// The present uptime; nil where it has none.
  var uptime: Uptime? { get }
}
