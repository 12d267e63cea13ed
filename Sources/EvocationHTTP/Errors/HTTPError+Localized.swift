import Evocation
internal import Foundation

extension HTTPError {
  /// A sentence for the person who uses the app, without the address and the service's words.
  public var errorDescription: String? { alert.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? { sentence.suggestion }

  /// What the error of your app's authorization closure says; nil for any other failure, and if that
  /// error has no text of its own.
  public var failureReason: String? {
    guard code == .unauthorized, let underlying else { return nil }
    if let text = (underlying as? any LocalizedError)?.errorDescription { return text }
    // The text of a system's error is for developers.
    let isOfSystem = underlying is any CustomNSError || type(of: underlying) is NSError.Type
    let saysItself = (underlying as Any) is any CustomStringConvertible
    return saysItself && !isOfSystem ? "\(underlying)" : nil
  }

  private var alert: AlertText {
    switch code {
    case .unreachable: isOffline ? .offline : .unreachable
    case .refused: .unreachable
    case .connectionLost, .timedOut: isWrite ? .uncertain : .notAnswered
    case .untrusted, .insecure: .insecure
    case .unauthorized: status == 403 ? .forbidden : .signedOut
    case .notFound: .notFound
    case .alreadyExists: .alreadyExists
    case .conflict, .preconditionFailed: .conflict
    case .postponed, .suspended, .server: .unavailable
    case .client where failureKind == .transient: .unavailable
    case .client: isWrite ? .changeRefused : .requestRefused
    case .undecodable where givenScope == .service:
      !isWrite && ["[", "{"].contains(body?.first) ? .notAnswered : .captivePortal
    case .malformed, .undecodable, .incompleteList, .tooLarge, .unexpectedStatus, .redirectRefused:
      .unreadableAnswer
    default: AlertText(failureKind)
    }
  }

  /// Whether the system says that the device itself has no connection.
  private var isOffline: Bool {
    let offline: [URLError.Code] = [
      .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff,
    ]
    return (underlying as? URLError).map { offline.contains($0.code) } ?? false
  }
}

extension HTTPPartialError {
  /// A sentence for the person who uses the app: some models were saved.
  public var errorDescription: String? { AlertText.partlySaved.rawValue }

  /// The fix, for the developer.
  public var recoverySuggestion: String? {
    "Read the models in `failed` to see which the server has, and write the rest and those in `unsent` "
      + "again."
  }
}
