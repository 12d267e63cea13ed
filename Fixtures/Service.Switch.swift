#if os(macOS) || os(Linux)
  extension Service {
    /// A delay or a fault that the service shows to the requests that follow.
    ///
    /// A switch with `times` ends after as many requests; switches with `times` take turns in the
    /// order in which they were set. One without lasts until another of its kind replaces it or
    /// ``Service/release()`` or ``Service/reset()`` ends it, and steps back while a counted one is
    /// left. A delay and a fault can be set at once.
    public struct Switch: Encodable, Sendable {
      var delay: Double?
      var status: Int?
      var headers: [String: [String]]?
      var body: String?
      var hangUp: HangUp?
      var reset: HangUp?
      var next: Ending?
      var chunked: Chunked?
      var garbage: Bool?
      var silent: Bool?
      var redirect: String?
      var redirectStatus: Int?
      var broken: Broken?
      var slow: Part?
      var seconds: Double?
      var endless: Endless?
      var truncated: Bool?
      var contentType: String?
      var compressed: Compression?
      var bomb: Compression?
      var megabytes: Int?
      var lines: [String]?
      var times: Int?
      var method: String?
      var path: String?

      private enum CodingKeys: String, CodingKey {
        case delay, status, headers, body, reset, next, chunked, garbage, silent, redirect, broken
        case slow, seconds, endless, truncated, compressed, bomb, megabytes, lines
        case times, method, path
        case hangUp = "hang_up"
        case redirectStatus = "redirect_status"
        case contentType = "content_type"
      }

      /// Waits before each answer.
      public static func delay(_ delay: Duration, times: Int? = nil) -> Self {
        Self(delay: delay / .seconds(1), times: times)
      }

      /// Answers a status, and does not do what was asked; without a body it sends an error object.
      public static func status(
        _ status: Int, times: Int? = nil, headers: [String: String]? = nil, body: String? = nil
      ) -> Self {
        Self(status: status, headers: headers?.mapValues { [$0] }, body: body, times: times)
      }

      /// Answers a status with header fields that may come several times each.
      public static func status(
        _ status: Int, times: Int? = nil, fields: [String: [String]], body: String? = nil
      ) -> Self {
        Self(status: status, headers: fields, body: body, times: times)
      }

      /// Answers 200 with a text that is no JSON, and does not do what was asked.
      public static func garbage(times: Int? = nil) -> Self {
        Self(garbage: true, times: times)
      }

      /// Holds a request back: a release lets it go on, a reset drops it.
      public static func silent(times: Int? = nil) -> Self {
        Self(silent: true, times: times)
      }

      /// Answers a redirect to another address, and does not do what was asked.
      public static func redirect(
        to address: String, status: Int = 307, times: Int? = nil
      ) -> Self {
        Self(redirect: address, redirectStatus: status, times: times)
      }

      /// Does what was asked, and adds lines to the head of the answer, as they are.
      public static func lines(_ lines: String..., times: Int? = nil) -> Self {
        Self(lines: lines, times: times)
      }

      /// The same switch for the requests of one method, of one path, or of both.
      public func only(method: String? = nil, path: String? = nil) -> Self {
        var narrowed = self
        narrowed.method = method ?? self.method
        narrowed.path = path ?? self.path
        return narrowed
      }
    }
  }
#endif
