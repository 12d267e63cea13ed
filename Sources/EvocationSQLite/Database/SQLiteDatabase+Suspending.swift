internal import Dispatch
public import Evocation
internal import Foundation

extension SQLiteDatabase {
  /// Stops reads and writes, and releases every lock that these take, until ``resume()``.
  ///
  /// ```swift
  /// await database.suspend()
  /// ```
  ///
  /// iOS terminates an app that it suspends while the app has a lock on a file that an extension
  /// opens too. The database undoes or finishes a running write, and streams end with an error.
  /// Waiting calls and new calls throw ``SQLiteError`` with the code `suspended`, which is
  /// transient. The method returns when nothing reads or writes, and asks iOS for the time that this
  /// takes.
  ///
  /// The file stays open, and with it two shared locks, on the file and on the index of its log. iOS
  /// accepts these of a file that it recognizes as SQLite's by its first bytes. An encrypted file has
  /// others: let SQLCipher leave them in clear text, as the page on what is on the disk says.
  ///
  /// A database in memory has no locks, so it continues to work. Do not await this method inside
  /// ``read(_:)``, ``write(_:)`` or an observer's handler, because it waits for them.
  public func suspend() async {
    guard path != nil else { return }
    suspension.begin()
    let rested = heedSuspension()
    let isOver = Self.askForTime()
    for rested in rested { await rested.value }
    isOver()
    suspension.endTime()
  }

  /// Lets the database read and write again after ``suspend()``; otherwise it has no effect.
  public func resume() {
    guard suspension.end() else { return }
    _ = heedSuspension()
    turns.tell()
    suspendWhenTimeIsOver()
  }

  /// Suspends the database while the app is known to be inactive, until the observation ends.
  ///
  /// ```swift
  /// let suspending = database.suspend(with: activity)
  /// ```
  ///
  /// If your app calls the database while the app is active, the database resumes first, even if
  /// you called ``suspend()``. For work in the background, call ``resume()`` before it and
  /// ``suspend()`` after it. The database observes one activity at a time.
  ///
  /// An app that iOS launches in the background may never become active. As long as the activity is
  /// unknown, the database asks iOS for time, and suspends itself when iOS says that it is over. Call
  /// ``suspend()`` when your work is done, so that iOS can suspend the process before.
  ///
  /// - Parameter activity: Reports whether the app is active.
  /// - Returns: An observation. When it ends, the database resumes.
  public func suspend(with activity: any AppActivity) -> Evocation.Observation {
    suspend(with: activity) { Self.askForTime($0) }
  }

  /// Does the same, and asks the system for time by the closure.
  func suspend(
    with activity: any AppActivity, asking ask: @escaping Suspension.AskForTime
  ) -> Evocation.Observation {
    suspension.follow(activity, asking: ask)
    suspendWhenTimeIsOver()
    let following = Task.detached { [weak self] in
      let changes = activity.changes()
      // The stream does not report changes from before it began.
      var first = activity.isActive
      if first == false { await self?.suspend() }
      for await isActive in changes {
        guard let self, !Task.isCancelled else { return }
        // From now on, the activity says when the app ceases to be active.
        suspension.endTime()
        // The stream may begin with the known state, and the app may have resumed since.
        let isKnown = isActive == first
        first = nil
        guard !isKnown else { continue }
        // The present state counts, not the state at the time of the change.
        if activity.isActive == false { await self.suspend() } else { self.resume() }
      }
    }
    return Evocation.Observation { [weak self] in
      following.cancel()
      self?.suspension.follow(nil)
      self?.resume()
    }
  }

  private func suspendWhenTimeIsOver() {
    suspension.askForTime { [weak self] in await self?.suspend() }
  }

  /// Resumes if the app is active again and the stream has not reported it yet.
  func resumeIfActive() {
    if suspension.isOver { resume() }
  }

  /// Suspends or resumes the pools, and repeats this if the state changes while it does so.
  ///
  /// Returns the promises that resolve when no connection is lent any more.
  private func heedSuspension() -> [Promise<Void>] {
    while true {
      let isOn = suspension.isOn
      var rested: [Promise<Void>] = []
      if isOn { mover?.suspend() } else { mover?.resume() }
      for pool in [streams, readers, writer].compactMap(\.self) {
        if isOn { rested.append(pool.suspend()) } else { pool.resume() }
      }
      if suspension.isOn == isOn { return rested }
    }
  }

  /// Asks the system not to suspend the process until the caller calls the returned closure.
  ///
  /// If the system's time is over before, it calls `expired`, which has the closure called soon; without
  /// it, nobody waits any more.
  private static func askForTime(
    _ expired: (@Sendable () -> Void)? = nil
  ) -> @Sendable () -> Void {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      let isOver = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Suspending a database") {
        isExpired in
        if !isExpired {
          isOver.wait()
        } else if let expired {
          expired()
        } else {
          isOver.signal()
        }
      }
      return { isOver.signal() }
    #else
      return {}
    #endif
  }
}
