internal import Dispatch

/// How often the watch looks for commits of others.
///
/// - If the system reports writes to the log: seldom, and often for a while after such a report.
///   The log is written before its commit can be seen, and by our own commits too.
/// - If it does not, or a commit was found that it had not reported: often.
struct WatchPace {
  /// How many looks in a row end a while in which it looks often.
  private static let looks = 20

  /// Whether the system reports writes to the log.
  private(set) var hasReports: Bool
  /// The looks that are left until it looks seldom.
  private var left = 0

  var isOften: Bool { !hasReports || left > 0 }

  init(hasReports: Bool) {
    self.hasReports = hasReports
  }

  /// The log was written.
  mutating func wrote() { left = Self.looks }

  /// A look has ended.
  mutating func looked(_ look: Look) {
    switch look {
    case .nothing: left = max(0, left - 1)
    // A look that could not be made is made again.
    case .busy: break
    case .found: if !isOften { hasReports = false }
    }
  }

  /// What a look found.
  enum Look { case nothing, found, busy }
}

/// When a watch looks.
struct WatchTimes {
  /// How soon after a report, and how often then.
  var (first, often): (DispatchTimeInterval, DispatchTimeInterval)
  /// How often without a report: the system may lose one.
  var seldom: DispatchTimeInterval
  /// By how much later any look may be.
  var leeway: DispatchTimeInterval

  #if canImport(Darwin)
    /// As seldom as `observeChanges` allows, to save the battery.
    ///
    /// There are no reports.
    static let system = WatchTimes(
      first: .milliseconds(50), often: .milliseconds(50), seldom: .milliseconds(50),
      leeway: .milliseconds(50))
  #else
    /// As `observeChanges` promises.
    static let system = WatchTimes(
      first: .milliseconds(2), often: .milliseconds(15), seldom: .seconds(1),
      leeway: .milliseconds(5))
  #endif
}
