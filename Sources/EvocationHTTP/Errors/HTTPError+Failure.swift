public import Evocation

// Whether a retry may help, and whether the error is about the write.
extension HTTPError {
  /// Whether a retry may help, by the code and, for `client` and `server`, by the status.
  public var failureKind: FailureKind {
    switch code {
    case .refused, .unreachable, .connectionLost, .timedOut, .malformed, .postponed, .suspended:
      .transient
    case .unauthorized: .authorization
    case .conflict, .preconditionFailed, .alreadyExists: .conflict
    case .client: [408, 425, 429].contains(status) ? .transient : .permanent
    case .server: status == 501 ? .permanent : .transient
    // A portal's answer to a write: the service behind it may work.
    case .undecodable: givenScope == .service ? .transient : .permanent
    case .incompleteList: isOfChangingList ? .transient : .permanent
    default: .permanent
    }
  }

  /// Whether the request may have reached the service, by the code.
  ///
  /// It has not if no connection was made, or if the limits held the request back.
  public var mayHaveArrived: Bool {
    switch code {
    case .refused, .unreachable, .untrusted, .postponed, .suspended: false
    default: true
    }
  }

  /// Whether the list became shorter while it was read, so that it can be read again.
  var isOfChangingList: Bool { code == .incompleteList && givenScope == .service }

  /// Whether the error is about the write, about the service, or reports that the write was made.
  ///
  /// - A request that failed before the service answered says nothing about the write, only about the
  ///   service. Examples are no connection, no valid certificate, a redirect to another address, and a
  ///   wrong format.
  /// - A 401 is about the credential, and so about the service. A 403 is about the write.
  /// - A write that has no address, that cannot be expressed, or whose query would concern all models
  ///   is never sent. The error is about the write.
  /// - If an answer of 200 to 299 to a write cannot be read, the service has performed the write
  ///   (`carriedOut`). If the answer is not the service's, or if the request was a read, the error is
  ///   about the service.
  public var failureScope: FailureScope {
    if let givenScope { return givenScope }
    switch code {
    case .unauthorized: return status == 403 ? .write : .service
    case .notFound, .conflict, .preconditionFailed, .alreadyExists: return .write
    case .client: return Self.ofConnections.contains(status ?? 400) ? .service : .write
    case .server: return status == 501 ? .write : .service
    case .unaddressable, .unbounded, .unsupportedCriteria, .incompleteModel: return .write
    case .undecodable: return isDone && isWrite ? .carriedOut : .service
    case .tooLarge: return scopeOfLargeAnswer
    default: return .service
    }
  }

  /// Statuses that are about the connection, the time or the proxy, and not about the write.
  private static let ofConnections: Set<Int> = [407, 408, 421, 425, 426, 429]

  /// The scope of an answer that was not read to its end, by its status and type.
  private var scopeOfLargeAnswer: FailureScope {
    guard let status, isWrite else { return .service }
    if isDone {
      return ContentType(headers["content-type"])?.isJSON == true ? .carriedOut : .service
    }
    let isRefusal = (400...499).contains(status) && status != 401
    return isRefusal && !Self.ofConnections.contains(status) ? .write : .service
  }

  private var isDone: Bool { status.map { (200...299).contains($0) } ?? false }

  var isWrite: Bool { !isOfRead && isOfWritingMethod }

  private var isOfWritingMethod: Bool { method.map { !["GET", "HEAD"].contains($0) } ?? false }

  /// Returns the code of a status that is no success.
  static func code(of status: Int) -> Code {
    switch status {
    case 401, 403: .unauthorized
    case 404, 410: .notFound
    case 409: .conflict
    case 412: .preconditionFailed
    case 400...499: .client
    case 500...599: .server
    default: .unexpectedStatus
    }
  }
}
