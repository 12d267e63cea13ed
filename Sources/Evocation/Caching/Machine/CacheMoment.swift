import Foundation

/// A moment by two clocks: the date, which can be set, and a time that only goes on.
struct CacheMoment: Sendable {
  var date: Date
  var time: Duration
}
