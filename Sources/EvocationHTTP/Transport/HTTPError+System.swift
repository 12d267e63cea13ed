import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension HTTPError {
  /// The error of a request that the system could not carry out.
  init(_ error: any Error, of request: HTTPRequest) {
    let code: Code =
      switch (error as? URLError)?.code {
      case .timedOut: .timedOut
      case .cannotConnectToHost: .refused
      case .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
        .internationalRoamingOff, .callIsActive:
        .unreachable
      case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
        .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
        .clientCertificateRejected, .clientCertificateRequired:
        .untrusted
      case .appTransportSecurityRequiresSecureConnection: .insecure
      case .dataLengthExceedsMaximum: .tooLarge
      case .badURL, .unsupportedURL: .unaddressable
      default: Self.isUntrusted(error) ? .untrusted : .connectionLost
      }
    self.init(code, of: request, underlying: error)
  }

  /// Linux has one code for all of curl's failures with TLS, so that its words have to tell.
  private static func isUntrusted(_ error: any Error) -> Bool {
    let words = ["SSL certificate", "certificate subject name", "wrong version number"]
    return words.contains { error.localizedDescription.contains($0) }
  }
}
