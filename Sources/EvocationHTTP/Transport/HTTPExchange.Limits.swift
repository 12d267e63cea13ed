import Evocation
import Foundation

extension HTTPExchange {
  /// What an exchange must keep to.
  struct Limits: Sendable {
    var timeout: Duration
    var size: Int
    var insecureHosts: Set<String>

    /// The system's own timeout counts pauses, not the whole, so it stands back behind ours.
    ///
    /// It ends at a week, because Linux counts it in milliseconds and traps when they overflow.
    var systemTimeout: TimeInterval {
      min(max(timeout.seconds, 0) + 60, 7 * 86400)
    }

    /// Whether an address may be spoken to: with TLS, or where none is needed.
    func allows(_ url: URL) -> Bool {
      guard url.scheme?.lowercased() == "http", let host = url.host()?.lowercased() else {
        return url.scheme?.lowercased() == "https"
      }
      return Self.isLoopback(host) || insecureHosts.contains { $0.lowercased() == host }
    }

    private static func isLoopback(_ host: String) -> Bool {
      let isNamed = ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
      guard !isNamed else { return true }
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
  }
}
