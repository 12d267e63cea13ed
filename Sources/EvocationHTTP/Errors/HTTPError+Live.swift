import Evocation
import Foundation

// What ends a stream of events, beside the failures of any request.
extension HTTPError {
  /// Creates the error of a stream of which more waits for the app than may.
  init(overrunning limit: Int) {
    self.init(.connectionLost, reason: "\(limit) bytes")
    givenOutcome = Outcome(
      "sends faster than the app reads, and \(limit) bytes waited",
      fix: "send fewer changes, or raise maximumResponseSize")
  }

  /// Creates the error of a stream that sent nothing for a time.
  init(silence: Duration, method: String, url: URL) {
    self.init(.timedOut, method: method, url: url, reason: silence.brief)
    givenOutcome = Outcome(
      "sent nothing for \(silence.brief)",
      fix: "check the network, let the service send heartbeats, or raise format.live.longestSilence"
    )
  }

  /// Creates the error of a stream whose greeting did not come.
  init(missing greeting: String, after time: Duration, method: String, url: URL) {
    self.init(.timedOut, method: method, url: url, reason: time.brief)
    givenOutcome = Outcome(
      "was accepted, and its event \(greeting) did not arrive within \(time.brief)",
      fix: "turn off the buffering of text/event-stream in the proxy in front of the server")
  }

  /// Creates the error of a subscription that did not come to its end.
  init(unsubscribed time: Duration, method: String, url: URL) {
    self.init(.timedOut, method: method, url: url, reason: time.brief)
    givenOutcome = Outcome(
      "was accepted, and its subscription took longer than \(time.brief)",
      fix: "check what format.live sends and which event confirms it, or raise its greetingTimeout")
  }

  /// Creates the error of an event that is larger than allowed, or has no end.
  init(event limit: Int, method: String, url: URL) {
    self.init(.tooLarge, method: method, url: url, status: 200, reason: "\(limit) bytes")
    givenOutcome = Outcome(
      "sent an event of more than \(limit) bytes",
      fix: "send smaller events, or raise format.live.maximumEventSize")
  }

  /// Creates the error of an answer that is not a stream of events.
  ///
  /// A 204 asks clients not to come back, ever. Any other type may be the answer of a network portal.
  init(instead type: String?, status: Int, method: String, url: URL) {
    self.init(
      .undecodable, method: method, url: url, status: status,
      retryAfter: status == 204 ? RetryAfter.longest : nil,
      failureScope: status == 204 ? .write : .service)
    let content = status == 204 ? "no stream of events" : "\(type ?? "no type") in place of events"
    givenOutcome = Outcome(
      "got \(status) with \(content)",
      fix: "check the route in format.live, and sign in to the network")
  }

  /// Returns the error with the wait that the stream asked for, unless the error has one itself.
  func waiting(_ retry: Duration?) -> HTTPError {
    guard retryAfter == nil, let retry else { return self }
    var error = self
    error.retryAfter = retry
    error.retryDate = Date(timeIntervalSinceNow: retry.seconds)
    return error
  }
}

extension HTTPError: StreamEnding {}
