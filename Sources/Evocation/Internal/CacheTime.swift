import Foundation

/// The clocks of a cache.
struct CacheTime: Sendable {
  let source: TimeSource
  let date: @Sendable () -> Date

  init(_ clock: any Clock<Duration>) {
    source = TimeSource(clock)
    if let clock = clock as? any DateClock {
      date = { clock.date }
    } else {
      date = { Date() }
    }
  }

  var now: CacheMoment { CacheMoment(date: date(), time: source.now()) }
}

/// A moment by two clocks: the date, which can be set, and a time that only goes on.
struct CacheMoment: Sendable {
  var date: Date
  var time: Duration
}
