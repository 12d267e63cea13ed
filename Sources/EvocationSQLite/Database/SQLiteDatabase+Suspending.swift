internal import Dispatch
public import Evocation
internal import Foundation

extension SQLiteDatabase {
  /// Ends what reads and writes, and lets go of every lock of the file, until ``resume()``.
  ///
  /// ```swift
  /// await database.suspend()
  /// ```
  ///
  /// iOS ends an app that is suspended while it has a lock on a file that an extension opens too. A
  /// write that is under way is undone or finished, a stream ends with an error, and so do calls that
  /// wait and those that come: they throw ``SQLiteError`` with the code `suspended`, which is
  /// transient. It returns when nothing is locked, and asks iOS for the time that this takes.
  ///
  /// A file of one process alone stays locked as long as it is open. A database in memory has no
  /// locks, and goes on. Within ``read(_:)``, ``write(_:)`` or an observer's handler do not wait for
  /// it, because it waits for them.
  public func suspend() async {
    guard path != nil else { return }
    suspension.begin()
    let rested = heedSuspension()
    let isOver = Self.askForTime()
    for rested in rested { await rested.value }
    isOver()
  }

  /// Has the database read and write again after ``suspend()``; otherwise it does nothing.
  public func resume() {
    guard suspension.end() else { return }
    _ = heedSuspension()
    // What others have committed meanwhile.
    watch.look()
  }

  /// Suspends the database while the app is known not to be active, until the observation ends.
  ///
  /// ```swift
  /// let suspending = database.suspend(with: activity)
  /// ```
  ///
  /// A call that is made while the app is active finds the database resumed, whoever suspended it. An
  /// app that works in the background calls ``resume()`` before, and ``suspend()`` after. One activity
  /// is followed at a time.
  ///
  /// - Parameter activity: Says whether the app is active.
  /// - Returns: An observation; when it ends, the database is resumed.
  public func suspend(with activity: any AppActivity) -> Evocation.Observation {
    suspension.follow(activity)
    let following = Task.detached { [weak self] in
      let changes = activity.changes()
      // What changed before anybody listened is not told.
      var first = activity.isActive
      if first == false { await self?.suspend() }
      for await isActive in changes {
        guard let self, !Task.isCancelled else { return }
        // The stream may begin with what is known already, and the app may have resumed since.
        let isKnown = isActive == first
        first = nil
        guard !isKnown else { continue }
        // What it is now counts, and not what it was when the change was told.
        if activity.isActive == false { await self.suspend() } else { self.resume() }
      }
    }
    return Evocation.Observation { [weak self] in
      following.cancel()
      self?.suspension.follow(nil)
      self?.resume()
    }
  }

  /// Resumes where the app is active again and the stream has not said so yet.
  func resumeIfActive() {
    if suspension.isOver { resume() }
  }

  /// Has the pools do what holds now, also where that changes meanwhile; gives what is told when nothing
  /// is lent any more.
  private func heedSuspension() -> [Promise<Void>] {
    while true {
      let isOn = suspension.isOn
      var rested: [Promise<Void>] = []
      for pool in pools {
        if isOn { rested.append(pool.suspend()) } else { pool.resume() }
      }
      if suspension.isOn == isOn { return rested }
    }
  }

  private var pools: [ConnectionPool] { [readers, mover?.pool, writer].compactMap { $0 } }

  /// Asks the system not to suspend the process before what is returned is called.
  private static func askForTime() -> @Sendable () -> Void {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      let isOver = DispatchSemaphore(value: 0)
      ProcessInfo.processInfo.performExpiringActivity(withReason: "Suspending a database") {
        isExpired in
        if isExpired { isOver.signal() } else { isOver.wait() }
      }
      return { isOver.signal() }
    #else
      return {}
    #endif
  }
}
