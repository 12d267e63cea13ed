import Evocation
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The credential of each request, and what the app's closure throws in place of one.
extension HTTPClient {
  /// Returns the credential of a request; nil for none.
  func credential(for request: HTTPRequest) async throws -> String? {
    let credential: String?
    do {
      credential = try await asked(.request)
    } catch {
      let error = HTTPError.ofCredential(error, for: request)
      // The next credential that the closure returns is then news, for which the outbox waits.
      if FailureKind(error) == .authorization { service.credentials.recordRefused(nil) }
      throw error
    }
    service.credentials.recordGiven(credential)
    return credential
  }

  /// Asks the app for another credential than the one that the service has refused.
  ///
  /// - Returns: Nil if there is no closure to ask, or if the closure itself sends the request.
  func renew(after answer: HTTPAnswer, of request: HTTPRequest) async throws -> String?? {
    guard service.configuration.authorization != nil else { return nil }
    let refused = answer.credential
    service.credentials.recordRefused(refused)
    guard !service.credentials.isRenewing else { return nil }
    do {
      return .some(
        try await service.credentials.renewed(refused) { try await self.asked(.refusal) })
    } catch {
      throw HTTPError.ofCredential(error, for: request, after: answer, by: format.refusals)
    }
  }
}

extension HTTPClient {
  /// Asks the app's closure, and waits as long as for an answer of the service; nil if there is none.
  ///
  /// A closure that goes on then is canceled, and not waited for.
  func asked(_ occasion: HTTPService.Occasion) async throws -> String? {
    guard let hook = service.configuration.authorization else { return nil }
    let limit = service.configuration.timeout
    return try await Race(time: service.time, limit: limit, late: LateCredential(limit: limit))
      .value { try await hook(occasion) }
  }
}

/// The app's closure has not returned in time; it becomes an error of each call that waited for it.
private struct LateCredential: Error {
  let limit: Duration
}

extension HTTPAnswer {
  /// Whether the service refuses the credential: a 401, or what a rule of the format says to be one.
  ///
  /// A 403 is about the permission, and an answer of another host says nothing.
  var refusesCredential: Bool {
    !isForeign && (status == 401 || meaning == .unauthorized && status != 403)
  }
}

extension HTTPError {
  /// Returns the error of a call whose credential the app's closure did not return.
  ///
  /// - A cancellation, and an error that says itself that it may pass or that the user must sign in,
  ///   stay as they are.
  /// - An error of the network stays as it is too: the closure could not ask for a credential.
  /// - A closure that does not return in time may do so the next time.
  /// - After a refusal any other error says that there is no valid credential. Before the first request
  ///   only an error that trying again cannot help says so: the keychain may be locked for now.
  fileprivate static func ofCredential(
    _ error: any Error, for request: HTTPRequest, after answer: HTTPAnswer? = nil,
    by refusals: HTTPFormat.Refusals = .init()
  ) -> any Error {
    if let late = error as? LateCredential { return ofLate(late, for: request, after: answer) }
    guard isDenial(error, isRenewal: answer != nil) else { return error }
    let words = answer.map { HTTPRefusal($0, refusals) }
    var denial = HTTPError(
      .unauthorized, method: request.method, url: request.url, status: answer?.status,
      body: answer.flatMap { text(of: $0.body) }, headers: answer?.headers ?? [:],
      underlying: error, message: words?.message, fields: words?.fields ?? [:],
      failureScope: .service)
    denial.givenOutcome = Outcome(
      "\(whatBecame(after: answer)) the authorization closure threw \(type(of: error))",
      fix: "let the user sign in again")
    return denial
  }

  private static func ofLate(
    _ late: LateCredential, for request: HTTPRequest, after answer: HTTPAnswer?
  ) -> HTTPError {
    let limit = late.limit.brief
    var error = HTTPError(
      .timedOut, method: request.method, url: request.url, status: answer?.status, reason: limit)
    error.givenOutcome = Outcome(
      "\(whatBecame(after: answer)) the authorization closure did not return within \(limit)",
      fix: "let it return or throw in time, or raise the timeout")
    return error
  }

  private static func whatBecame(after answer: HTTPAnswer?) -> String {
    answer.map { "was refused with \($0.status), and" } ?? "was not sent, because"
  }

  private static func isDenial(_ error: any Error, isRenewal: Bool) -> Bool {
    switch error {
    case is CancellationError: false
    case let error as any ClassifiedError:
      error.failureScope != .service || ![.transient, .authorization].contains(error.failureKind)
    case let error as URLError:
      isRenewal
        ? !ofNetwork.contains(error.code)
        : [.userAuthenticationRequired, .userCancelledAuthentication].contains(error.code)
    default: isRenewal || FailureKind(error) != .transient
    }
  }

  /// The codes for which the closure could not reach the service that gives credentials.
  ///
  /// `unknown` is what Linux has for an answer that was cut off.
  private static let ofNetwork: Set<URLError.Code> = [
    .unknown, .timedOut, .cancelled, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
    .networkConnectionLost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff,
    .callIsActive, .secureConnectionFailed, .serverCertificateHasBadDate,
    .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
    .clientCertificateRejected, .clientCertificateRequired, .cannotLoadFromNetwork,
  ]
}
