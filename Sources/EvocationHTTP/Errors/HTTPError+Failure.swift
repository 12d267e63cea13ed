public import Evocation

// What became of the request.
extension HTTPError {
  /// Whether it is worth trying again; the status decides where there is one.
  public var failureKind: FailureKind {
    switch code {
    case .refused, .unreachable, .connectionLost, .timedOut, .malformed, .postponed, .suspended:
      .transient
    case .unauthorized: .authorization
    case .conflict, .preconditionFailed, .alreadyExists: .conflict
    case .client: [408, 425, 429].contains(status) ? .transient : .permanent
    case .server: status == 501 ? .permanent : .transient
    // A portal's answer to a write: behind it the service may be well.
    case .undecodable: givenScope == .service ? .transient : .permanent
    default: .permanent
    }
  }

  /// What it says of a write: only a status of the service refuses one.
  ///
  /// - What failed before the service answered says nothing of the write, whatever its kind: no
  ///   connection, no valid certificate, a redirect to elsewhere, a wrong format.
  /// - A 401 is about the credential, a 403 about the write.
  /// - A write that has no address, or whose query would concern all models, is never sent.
  /// - An answer of 200 to 299 that cannot be read says that the write was carried out, if it is the
  ///   service's; else it says nothing. That of a read never does.
  public var failureScope: FailureScope {
    if let givenScope { return givenScope }
    switch code {
    case .unauthorized: return status == 403 ? .write : .service
    case .notFound, .conflict, .preconditionFailed, .alreadyExists: return .write
    case .client: return Self.ofConnections.contains(status ?? 400) ? .service : .write
    case .server: return status == 501 ? .write : .service
    case .unaddressable, .unbounded, .unsupportedCriteria: return .write
    case .undecodable: return isDone && isWrite ? .carriedOut : .service
    case .tooLarge: return scopeOfLargeAnswer
    default: return .service
    }
  }

  /// Statuses that are about the connection, the time or the proxy, and not about what was sent.
  private static let ofConnections: Set<Int> = [407, 408, 421, 425, 426, 429]

  /// An answer that was not read to its end has a status all the same, and a type.
  private var scopeOfLargeAnswer: FailureScope {
    guard let status, isWrite else { return .service }
    if isDone {
      return ContentType(headers["content-type"])?.isJSON == true ? .carriedOut : .service
    }
    let isRefusal = (400...499).contains(status) && status != 401
    return isRefusal && !Self.ofConnections.contains(status) ? .write : .service
  }

  private var isDone: Bool { status.map { (200...299).contains($0) } ?? false }

  var isWrite: Bool { method.map { !["GET", "HEAD"].contains($0) } ?? false }
}
