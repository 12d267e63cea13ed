/// When a ledger's date was last checked in this process.
struct DateChecks {
  /// The moment of the last check; nil before the first one.
  var last: CacheMoment?
  /// The clocks by which to record the date with the first fetch; nil if the ledger has a date.
  var first: CacheTime?

  /// Whether it was checked within the last minute, and the date was not set since.
  func isRecent(at now: CacheMoment) -> Bool {
    last.map { !now.isDateSet(since: $0) && now.time.subtracting($0.time) < .seconds(60) } ?? false
  }

  /// Follows the date; true where it was set since the last check.
  mutating func follow(_ now: CacheMoment) -> Bool {
    guard let last, now.isDateSet(since: last) else { return false }
    self.last = now
    return true
  }
}

// The guard of the device's date.
extension CacheRegistry {
  /// Finds out whether the date was set back, before the ledger's records are used.
  ///
  /// It does so once a minute, and when the date was set. It ignores errors: a ledger that cannot be
  /// read fails again when a record is needed.
  ///
  /// - Returns: The present moment.
  @discardableResult
  package func check(_ time: CacheTime) async -> CacheMoment {
    var now = time.now
    if dateChecks.withLock({ $0.isRecent(at: now) }) { return now }
    // Recorded at the end: until then, concurrent callers check as well, and use no record before.
    defer { dateChecks.withLock { $0.last = now } }
    let seen = await seen()
    now = time.now
    if seen.isSetBack(now.date) {
      await recordDate(time)
    } else if seen.isNews(now.date) {
      if seen.greatest == nil { dateChecks.withLock { $0.first = time } }
      recordDateInBackground(time)
    }
    return now
  }

  /// Has the ledger record a date that was set while the app runs, when something happens in a cache.
  package func follow(_ time: CacheTime, at now: CacheMoment) {
    if dateChecks.withLock({ $0.follow(now) }) { recordDateInBackground(time) }
  }

  /// Records the date after the first fetch: a file without fetches keeps none.
  package func recordFirstDate() {
    let time = dateChecks.withLock { checks in
      defer { checks.first = nil }
      return checks.first
    }
    if let time { recordDateInBackground(time) }
  }

  /// Records the date in the background, because no caller should wait for it.
  ///
  /// It reads the date when it runs: an earlier one would look as if the date had been set back.
  private func recordDateInBackground(_ time: CacheTime) {
    WriteScope.apart { _ = Task { await recordDate(time) } }
  }

  private func recordDate(_ time: CacheTime) async {
    let seen = await seen()
    let now = time.now
    try? await ledger.note(now.date)
    if seen.isSetBack(now.date) { forgetFetches(prefix: "") }
  }

  /// What the ledger has seen.
  ///
  /// Read the present date after it: fetches may be recorded until then, and an earlier date would
  /// look as if it had been set back.
  private func seen() async -> SeenDate { SeenDate(try? await ledger.greatestDate()) }
}
