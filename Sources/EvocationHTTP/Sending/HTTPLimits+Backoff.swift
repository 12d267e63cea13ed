import Evocation
import Foundation

extension HTTPLimits {
  /// Returns how long a service asks to wait after an answer; nil if it does not ask.
  func wait(after answer: HTTPAnswer) -> Duration? {
    let waits = backoff.compactMap { backoff -> Duration? in
      switch backoff {
      case .retryAfter:
        return [429, 503].contains(answer.status) ? RetryAfter.duration(of: answer.headers) : nil
      case .seconds(let name):
        return answer.headers[name.lowercased()].flatMap(RetryAfter.seconds)
      case .remaining(let name, let reset):
        guard answer.headers[name.lowercased()].flatMap({ Int64($0) }) == 0,
          let reset = answer.headers[reset.lowercased()].flatMap({ Int64($0) })
        else { return nil }
        // No service asks for thirty years, and none has a time before 2001.
        guard reset > 1_000_000_000 else { return RetryAfter.seconds("\(reset)") }
        let date = Date(timeIntervalSince1970: TimeInterval(reset))
        return RetryAfter.wait(until: date, answer.headers)
      }
    }
    return waits.max()
  }
}
