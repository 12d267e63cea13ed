import Evocation
import EvocationHTTP
import Foundation

/// The codes of `HTTPError`, which the test compares with those of its file.
enum HTTPRow {
  /// An address whose query holds a model's value.
  private static let url = URL(string: "https://api.example.com/cars?year=\(ErrorRow.value)")

  /// Makes an error of a read, with a model's value in everything that may hold one.
  private static func error(
    _ code: HTTPError.Code, _ status: Int? = nil, method: String? = "GET", reason: String? = nil,
    scope: FailureScope? = nil
  ) -> HTTPError {
    HTTPError(
      code, method: method, url: url, status: status, body: "{\"id\": \(ErrorRow.value)}",
      headers: ["x-id": ErrorRow.value], reason: reason, message: "id \(ErrorRow.value)",
      fields: ["id": [ErrorRow.value]], failureScope: scope)
  }

  private static func row(_ error: HTTPError, _ cause: String) -> ErrorRow {
    ErrorRow(.http, "HTTPError.Code.\(error.code.rawValue)", error, cause)
  }

  static var all: [ErrorRow] { ofConnections + ofStatuses + ofAnswers + ofRequests + [partial] }

  /// No answer.
  private static var ofConnections: [ErrorRow] {
    [
      row(error(.refused), "No server listens at the address and the port."),
      row(error(.unreachable), "The device has no network, or the host's name is unknown."),
      row(error(.connectionLost), "The connection ended before the answer did."),
      row(error(.timedOut, reason: "30.0 seconds"), "The answer took longer than the timeout."),
      row(
        error(.malformed), "A proxy, or a server of another protocol, answered at this address."),
      row(error(.postponed), "An earlier answer asked to wait, by the header field Retry-After."),
      row(error(.suspended), "The circuit breaker of `HTTPLimits.breaker` is open."),
      row(
        error(.untrusted),
        "The certificate has expired, belongs to another host, or the device's clock is wrong."),
      row(
        HTTPError(.insecure, method: "GET", url: URL(string: "http://api.example.com/cars")),
        "Evocation sends nothing without TLS, except to hosts that you name."),
      row(
        error(.redirectRefused, reason: "by 302 to other.example.com, which has no TLS"),
        "Following the redirect would send the request, or its body, where it must not go."),
    ]
  }

  /// A status that is not a success.
  private static var ofStatuses: [ErrorRow] {
    [
      row(
        error(.unauthorized, 401),
        "The credential is missing or has expired; or, with 403, it does not suffice."),
      row(error(.notFound, 404), "The server has no such path, or, for a write, no such model."),
      row(error(.conflict, 409, method: "PUT"), "The server has another state of the model."),
      row(
        error(.alreadyExists, 400, method: "POST"),
        "By `format.refusals`, the answer means that the id is taken."),
      row(
        error(.preconditionFailed, 412, method: "PUT"),
        "Another client changed the model after your app had read it."),
      row(
        error(.client, 422, method: "PATCH"),
        "The server rejects the values, or the form of the request."),
      row(error(.server, 500), "The server failed."),
      row(error(.unexpectedStatus, 304), "The status is neither a success nor a failure."),
    ]
  }

  /// An answer that cannot be used.
  private static var ofAnswers: [ErrorRow] {
    [
      row(
        error(.undecodable, 200, reason: "no value at \"data[3].owner\""),
        "The JSON has another form than the model, or another envelope than the format."),
      row(
        error(
          .incompleteList, 200,
          reason: "has more than 1000 pages; ask for a part, or raise maximumPages"),
        "The answer says that more pages follow, and not how, or they never end."),
      row(
        error(.tooLarge, 200, reason: "67108864 bytes"),
        "The body is larger than `HTTPService.Configuration.maximumResponseSize`."),
    ]
  }

  /// A request that was not sent.
  private static var ofRequests: [ErrorRow] {
    [
      row(
        error(.unsupportedCriteria, reason: "it has no \"or\""),
        "The service's way to filter, as the format describes it, lacks an operator of the criteria."
      ),
      row(
        error(.incompleteModel, method: "PUT", reason: "\"owner\" of Car"),
        "The model came in a list of summaries, and the route replaces the server's model."),
      row(
        error(.unbounded, method: "DELETE"),
        "The request for several models names no condition, so it would concern all of them."),
      row(
        error(
          .misconfigured,
          reason: "filters.largestPage is 0, so no model fits into an answer; raise it"),
        "Two fields of the `HTTPFormat` or of `HTTPService.Configuration` do not fit together."),
      row(
        error(
          .unaddressable, reason: "the base URL has no host; write it as in https://example.com/api"
        ),
        "The base URL, the route or the model's id do not form an address."),
    ]
  }

  private static var partial: ErrorRow {
    let value = ErrorRow.value
    return ErrorRow(
      .http, "HTTPPartialError",
      HTTPPartialError(
        done: [value], failed: ["\(value)1"], unsent: ["\(value)2"],
        underlying: error(.server, 503, method: "POST")),
      "The service takes one model per request, and one of these requests failed.")
  }
}
