import Evocation
import Foundation

extension HTTPError {
  /// One sentence for the developer: which request failed, why, and the fix; without query and body.
  public var description: String { sentence.description }

  /// The problem and the fix.
  var sentence: ErrorSentence {
    switch code {
    case .unsupportedCriteria:
      ErrorSentence(
        "The query scheme cannot express the criteria: "
          + "\(reason ?? "the scheme has no word for them")",
        fix:
          "change the criteria, write format.filters that can express them, or let "
          + "format.filtersHere filter on the device")
    case .unaddressable:
      ErrorSentence(
        whole: "The request has no address: \(reason ?? "it has no valid URL")",
        suggestion: "correct the base URL, the route or the model's id")
    case .misconfigured:
      ErrorSentence(
        whole: "The HTTP configuration contradicts itself: "
          + (reason ?? "two of its parts do not fit together"),
        suggestion: "change one of the fields that the description names")
    case .incompleteList:
      ErrorSentence(
        whole: "\(request) got a list that \(reason ?? "Evocation cannot follow to its end")",
        suggestion: "describe in format.next and format.filters how the service pages lists")
    default:
      ErrorSentence("\(request) \(outcome.problem)", fix: outcome.fix)
    }
  }

  private var request: String {
    let path = url.map { $0.path(percentEncoded: true) } ?? ""
    return "\(method ?? "The request") \(path.isEmpty ? "/" : path)"
  }

  /// What became of the request.
  private var outcome: (problem: String, fix: String) {
    if let givenOutcome { return (givenOutcome.problem, givenOutcome.fix) }
    return switch code {
    case .refused:
      ("found no server at \(host)", "check the base URL, and that the server runs")
    case .unreachable:
      ("could not reach \(host)", "check the network and the name of the host")
    case .connectionLost where isWrite:
      (
        "lost the connection before the answer was complete, so the server may have applied it",
        "look at what the server has before you send it again"
      )
    case .connectionLost:
      ("lost the connection before the answer was complete", "try again")
    case .malformed:
      (
        "got an answer that is not valid HTTP\(reason.map { " (\($0))" } ?? "")",
        "check the port of the base URL, and any proxy in front of the server"
      )
    case .postponed:
      ("was not sent, because \(host) asked to wait", "try again \(later)")
    case .suspended:
      ("was not sent, because \(host) failed several times in a row", "try again \(later)")
    case .unbounded:
      (
        "was not sent, because it would change all models: \(reason ?? "it has no conditions")",
        "check the filters and the routes"
      )
    case .timedOut where isWrite:
      (
        "got no answer within \(reason ?? "its timeout"), so the server may have applied it",
        "look at what the server has before you send it again"
      )
    case .timedOut:
      ("got no answer within \(reason ?? "its timeout")", "try again, or raise the timeout")
    case .untrusted:
      (
        "was not sent, because \(host) has no valid certificate",
        "check the host and the clock of the device"
      )
    case .insecure:
      (
        "was not sent, because \(url?.scheme?.lowercased() ?? "http")://\(host) has no TLS",
        "use https, or name the host in insecureHosts"
      )
    case .redirectRefused:
      ("was redirected \(reason ?? "elsewhere")", "configure the address that answers")
    default: answer
    }
  }

  /// What the service answered.
  private var answer: (problem: String, fix: String) {
    switch code {
    case .undecodable where givenScope == .service:
      (
        "got \(status ?? 200) with \(reason ?? "an answer that is not the service's")",
        "sign in to the network, or name the type in the header field Accept"
      )
    case .undecodable:
      (
        "got \(status ?? 200) with \(reason ?? "another body than the models")",
        "check the path, the envelope and the model's coding keys against the service"
      )
    case .tooLarge:
      (
        "got more than \(reason ?? "the allowed size")",
        "ask for fewer models, or raise maximumResponseSize"
      )
    case .unauthorized where status == 403:
      ("was refused with \(number)", "use an account that has the permission")
    case .unauthorized:
      (
        "was refused with \(number)",
        "sign in again, or check what the authorization closure returns"
      )
    case .notFound:
      ("got \(number)", "check the base URL, the path and the routes")
    case .conflict:
      (
        "was refused with \(number), because it conflicts with the server's data",
        "fetch the model and try again"
      )
    case .alreadyExists:
      (
        "was refused with \(number), because the server already has this model",
        "update the model, or store it under another id"
      )
    case .preconditionFailed:
      (
        "was refused with \(number), because the model has changed on the server",
        "fetch the model and try again"
      )
    case .client where failureKind == .transient:
      ("was postponed with \(number)", "try again \(later)")
    case .client:
      ("was refused with \(number)", "read the service's reason in the error's `body`")
    case .server where status == 501:
      ("got 501, because the server does not support it", "choose another route")
    case .server:
      ("got \(number), because the server failed", "try again \(later)")
    default:
      ("got \(number), which does not answer it", "check the routes and the headers")
    }
  }

  private var number: String { status.map(String.init) ?? "no status" }

  private var later: String {
    guard let retryAfter, let retryDate else { return "later" }
    return retryAfter < .seconds(60)
      ? "in \(retryAfter.brief)" : "at \(retryDate.formatted(.iso8601))"
  }

  private var host: String {
    let port = url?.port.map { ":\($0)" } ?? ""
    return "\(url?.host() ?? "an unknown host")\(port)"
  }
}
