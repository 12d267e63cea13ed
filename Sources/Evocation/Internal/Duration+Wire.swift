/// How files and traces write durations: as seconds, to the nanosecond.
extension Duration {
  /// Reads a number of seconds; nil when it is none, or infinite.
  init?(wireSeconds: Double) {
    guard wireSeconds.isFinite else { return nil }
    let whole = wireSeconds.rounded(.down)
    guard let seconds = Duration(nearest: whole) else { return nil }
    let nanoseconds = ((wireSeconds - whole) * 1e9).rounded()
    self = seconds.adding(.nanoseconds(Int64(nanoseconds)))
  }
}
