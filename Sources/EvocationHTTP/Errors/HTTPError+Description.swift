import Evocation
import Foundation

extension HTTPError: CustomStringConvertible {
  /// One sentence: which request failed, why, and how to fix it; without the query and the body.
  public var description: String {
    switch code {
    case .unsupportedCriteria:
      "The query scheme cannot express the criteria: \(reason ?? "they hold what it lacks"); "
        + "change them, write format.filters that can, or let format.filtersHere do it here."
    case .unaddressable:
      "The request has no address: \(reason ?? "it has no valid URL")."
    case .misconfigured:
      "The HTTP configuration contradicts itself: \(reason ?? "its parts do not go together")."
    default:
      "\(request) \(outcome)."
    }
  }

  private var request: String {
    let path = url.map { $0.path(percentEncoded: true) } ?? ""
    return "\(method ?? "The request") \(path.isEmpty ? "/" : path)"
  }

  private var outcome: String {
    switch code {
    case .refused:
      "found nothing that listens at \(host); check the base URL and that the service runs"
    case .unreachable:
      "could not reach \(host); check the network and the host's name"
    case .connectionLost where isWrite:
      "lost the connection before the answer was complete, so that it may have arrived; look at what the "
        + "service has before you send it again"
    case .connectionLost:
      "lost the connection before the answer was complete; try again"
    case .malformed:
      "was answered by what does not speak HTTP as it should\(reason.map { " (\($0))" } ?? ""); "
        + "check the base URL's port, and what stands before the service"
    case .postponed:
      "was not sent, because \(host) asked to wait; try again \(later)"
    case .suspended:
      "was not sent, because \(host) failed several times one upon the other; try again \(later)"
    case .unbounded:
      "was not sent, because it would concern all models: \(reason ?? "it has no conditions"); "
        + "check the filters and the routes"
    case .timedOut where isWrite:
      "was not answered within \(reason ?? "its timeout"), so that it may have arrived; look at what the "
        + "service has before you send it again"
    case .timedOut:
      "was not answered within \(reason ?? "its timeout"); try again, or raise the timeout"
    case .untrusted:
      "was not sent, because \(host) has no valid certificate; check the host and the device's clock"
    case .insecure:
      "was not sent, because \(url?.scheme?.lowercased() ?? "http")://\(host) has no TLS; "
        + "use https, or name the host in insecureHosts"
    case .redirectRefused:
      "was redirected \(reason ?? "elsewhere"); configure the address that answers"
    case .undecodable where givenScope == .service:
      "was answered \(status ?? 200) with \(reason ?? "what is not the service's answer"); "
        + "sign in to the network, or name the type in the header field Accept"
    case .undecodable:
      "answered \(status ?? 200) with \(reason ?? "another body than the models asked for"); "
        + "check the path, the envelope and the model's coding keys against the service"
    case .incompleteList:
      "answered a list that \(reason ?? "cannot be followed to its end")"
    case .tooLarge:
      "answered more than \(reason ?? "the allowed size"); "
        + "ask for fewer models, or raise maximumResponseSize"
    default:
      refusal
    }
  }

  private var refusal: String {
    let status = status.map(String.init) ?? "no status"
    return switch code {
    case .unauthorized where self.status == 403:
      "was refused with \(status); use an account that has the right"
    case .unauthorized:
      "was refused with \(status); sign in again, or check what the authorization hook gives"
    case .notFound:
      "was answered with \(status); check the base URL, the path and the routes"
    case .conflict:
      "was refused with \(status), because it conflicts with what the service holds; "
        + "fetch that and try again"
    case .alreadyExists:
      "was refused with \(status), because the service has such a model already"
    case .preconditionFailed:
      "was refused with \(status), because the model has changed on the service; "
        + "fetch it and try again"
    case .client where failureKind == .transient:
      "was postponed with \(status); try again \(later)"
    case .client:
      "was refused with \(status); the error's body holds what the service said"
    case .server where self.status == 501:
      "was answered with 501, because the service cannot do it; choose another route"
    case .server:
      "was answered with \(status), because the service failed; try again \(later)"
    default:
      "was answered with \(status), which is not an answer to it; check the routes and the headers"
    }
  }

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
