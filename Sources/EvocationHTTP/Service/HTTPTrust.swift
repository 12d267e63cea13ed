import Foundation

/// The rules for which addresses may be reached, and to which hosts a body may be redirected.
struct HTTPTrust: Sendable {
  let insecureHosts: Set<String>
  let redirectHosts: Set<String>

  init(_ configuration: HTTPService.Configuration) {
    insecureHosts = Set(configuration.insecureHosts.map { $0.lowercased() })
    redirectHosts = Set(configuration.redirectHosts.map { $0.lowercased() })
  }

  /// Whether a request may be sent to an address: one with TLS, or one that needs none.
  func allows(_ url: URL) -> Bool {
    switch url.scheme?.lowercased() {
    case "https": return true
    case "http":
      guard let host = url.host()?.lowercased() else { return false }
      return Self.isLoopback(host) || insecureHosts.contains(host)
    case .some, nil: return false
    }
  }

  /// Whether a write may be redirected to another host with its body.
  func allowsBody(at url: URL) -> Bool {
    url.host().map { redirectHosts.contains($0.lowercased()) } ?? false
  }

  private static func isLoopback(_ host: String) -> Bool {
    let isNamed = ["localhost", "::1", "[::1]"].contains(host) || host.hasSuffix(".localhost")
    guard !isNamed else { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
