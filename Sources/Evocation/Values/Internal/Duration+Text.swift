import Foundation

extension Duration {
  /// The duration in a suitable unit, such as `1.2 ms`.
  package var brief: String {
    let seconds = seconds
    return switch abs(seconds) {
    case ..<1e-6: "\(Self.round(seconds * 1e9)) ns"
    case ..<1e-3: "\(Self.round(seconds * 1e6)) µs"
    case ..<1: "\(Self.round(seconds * 1e3)) ms"
    default: "\(Self.round(seconds)) s"
    }
  }

  /// How long ago that was, in a suitable unit, such as `4 min ago`.
  var ago: String {
    let seconds = seconds
    return switch seconds {
    case ..<1: "just now"
    case ..<60: "\(Int(seconds)) s ago"
    case ..<3600: "\(Int(seconds / 60)) min ago"
    case ..<86_400: "\(Int(seconds / 3600)) h ago"
    default: "\(Int(exactly: (seconds / 86_400).rounded(.down)) ?? .max) d ago"
    }
  }

  /// The same as an age, such as `4 min old`.
  package var old: String {
    ago.hasSuffix(" ago") ? "\(ago.dropLast(4)) old" : "fresh"
  }

  private static func round(_ value: Double) -> String {
    let rounded = abs(value) < 10 ? (value * 10).rounded() / 10 : value.rounded()
    return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
  }
}

/// Durations in files and traces: seconds, to the nanosecond.
extension Duration {
  /// Creates a duration from a number of seconds; nil for NaN and infinity.
  init?(wireSeconds: Double) {
    guard wireSeconds.isFinite else { return nil }
    let whole = wireSeconds.rounded(.down)
    guard let seconds = Duration(nearest: whole) else { return nil }
    let nanoseconds = ((wireSeconds - whole) * 1e9).rounded()
    self = seconds.adding(.nanoseconds(Int64(nanoseconds)))
  }
}
