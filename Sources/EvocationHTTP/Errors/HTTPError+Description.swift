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

  /// What became of a request, and how to fix it, in words for the sentence.
  struct Outcome: Sendable {
    let (problem, fix): (String, String)

    init(_ problem: String, fix: String) {
      (self.problem, self.fix) = (problem, fix)
    }
  }

  private var outcome: Outcome {
    if let givenOutcome { return givenOutcome }
    return switch code {
    case .refused:
      .init("found no server at \(host)", fix: "check the base URL, and that the server runs")
    case .unreachable:
      .init("could not reach \(host)", fix: "check the network and the name of the host")
    case .connectionLost where isWrite:
      .init(
        "lost the connection before the answer was complete, so the server may have applied it",
        fix: "look at what the server has before you send it again")
    case .connectionLost:
      .init("lost the connection before the answer was complete", fix: "try again")
    case .malformed:
      .init(
        "got an answer that is not valid HTTP\(reason.map { " (\($0))" } ?? "")",
        fix: "check the port of the base URL, and any proxy in front of the server")
    case .postponed:
      .init("was not sent, because \(host) asked to wait", fix: "try again \(later)")
    case .suspended:
      .init(
        "was not sent, because \(host) failed several times in a row", fix: "try again \(later)")
    case .unbounded:
      .init(
        "was not sent, because it would change all models: \(reason ?? "it has no conditions")",
        fix: "check the filters and the routes")
    case .incompleteModel:
      .init(
        "was not sent, because it would clear \(reason ?? "properties"), which no answer of the server "
          + "had",
        fix: "read the model by its id first, or set the route to a PATCH")
    case .timedOut where isWrite:
      .init(
        "got no answer within \(reason ?? "its timeout"), so the server may have applied it",
        fix: "look at what the server has before you send it again")
    case .timedOut:
      .init(
        "got no answer within \(reason ?? "its timeout")", fix: "try again, or raise the timeout")
    case .untrusted:
      .init(
        "was not sent, because \(host) has no valid certificate",
        fix: "check the host and the clock of the device")
    case .insecure:
      .init(
        "was not sent, because \(url?.scheme?.lowercased() ?? "http")://\(host) has no TLS",
        fix: "use https, or name the host in insecureHosts")
    case .redirectRefused:
      .init("was redirected \(reason ?? "elsewhere")", fix: "configure the address that answers")
    default: answer
    }
  }

  /// What the service answered.
  private var answer: Outcome {
    switch code {
    case .undecodable where givenScope == .service && !isWrite:
      .init(
        "got \(status ?? 200) with \(reason ?? "an answer that is not the service's")",
        fix:
          "try again; if it stays, check the path, and any proxy or sign-in page in front of the server"
      )
    case .undecodable where givenScope == .service:
      .init(
        "got \(status ?? 200) with \(reason ?? "an answer that is not the service's")",
        fix: "sign in to the network, or name the type in the header field Accept")
    case .undecodable:
      .init(
        "got \(status ?? 200) with \(reason ?? "another body than the models")",
        fix: "check the path, the envelope and the model's coding keys against the service")
    case .tooLarge:
      .init(
        "got more than \(reason ?? "the allowed size")",
        fix: "ask for fewer models, or raise maximumResponseSize")
    case .unauthorized where status == 403:
      .init("was refused with \(number)", fix: "use an account that has the permission")
    case .unauthorized:
      .init(
        "was refused with \(number)",
        fix: "sign in again, or check what the authorization closure returns")
    case .notFound:
      .init("got \(number)", fix: "check the base URL, the path and the routes")
    case .conflict:
      .init(
        "was refused with \(number), because it conflicts with the server's data",
        fix: "fetch the model and try again")
    case .alreadyExists:
      .init(
        "was refused with \(number), because the server already has this model",
        fix: "update the model, or store it under another id")
    case .preconditionFailed where status == nil:
      .init(
        "was not sent, because the model has changed on the server",
        fix: "fetch the model and try again")
    case .preconditionFailed:
      .init(
        "was refused with \(number), because the model has changed on the server",
        fix: "fetch the model and try again")
    case .client where failureKind == .transient:
      .init("was postponed with \(number)", fix: "try again \(later)")
    case .client:
      .init("was refused with \(number)", fix: whereItSaysWhy)
    case .server where status == 501:
      .init("got 501, because the server does not support it", fix: "choose another route")
    case .server:
      .init("got \(number), because the server failed", fix: "try again \(later)")
    default:
      .init("got \(number), which does not answer it", fix: "check the routes and the headers")
    }
  }

  /// Where the service says why, in this error and in the failure of an entry of the outbox.
  private var whereItSaysWhy: String {
    let places = [message == nil ? nil : "`message`", fields.isEmpty ? nil : "`fields`"]
      .compactMap(\.self)
    return places.isEmpty
      ? "describe in format.refusals where its answer says why"
      : "read what the service says in \(places.joined(separator: " and "))"
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
