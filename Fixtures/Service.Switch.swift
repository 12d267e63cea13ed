#if os(macOS) || os(Linux)
  extension Service {
    /// A delay or a fault that the service shows to the requests that follow.
    ///
    /// A switch with `times` ends after as many requests; switches with `times` take turns in the
    /// order in which they were set. One without lasts until another of its kind replaces it or
    /// ``Service/release()`` or ``Service/reset()`` ends it, and steps back while a counted one is
    /// left. A delay and a fault can be set at once.
    public struct Switch: Encodable, Sendable {
      /// Where the service closes the connection after it has done what was asked.
      public enum HangUp: String, Encodable, Sendable {
        /// Before the first byte of the answer.
        case beforeAnswer = "before-answer"
        /// After the head, which promises the whole body, and half of the body.
        case midAnswer = "mid-answer"
      }

      /// Where an answer without a length ends.
      public enum Chunked: String, Encodable, Sendable {
        /// After the whole of the body.
        case whole
        /// Never: the connection stays open after the body until the client closes it.
        case unending
      }

      private var delay: Double?
      private var status: Int?
      private var headers: [String: String]?
      private var body: String?
      private var hangUp: HangUp?
      private var chunked: Chunked?
      private var garbage: Bool?
      private var silent: Bool?
      private var redirect: String?
      private var times: Int?
      private var method: String?
      private var path: String?

      private enum CodingKeys: String, CodingKey {
        case delay, status, headers, body, chunked, garbage, silent, redirect, times, method, path
        case hangUp = "hang_up"
      }

      /// Waits before each answer.
      public static func delay(_ delay: Duration, times: Int? = nil) -> Self {
        Self(delay: delay / .seconds(1), times: times)
      }

      /// Answers a status, and does not do what was asked; without a body it sends an error object.
      public static func status(
        _ status: Int, times: Int? = nil, headers: [String: String]? = nil, body: String? = nil
      ) -> Self {
        Self(status: status, headers: headers, body: body, times: times)
      }

      /// Does what was asked, and closes the connection before the answer is out.
      public static func hangUp(_ place: HangUp, times: Int? = nil) -> Self {
        Self(hangUp: place, times: times)
      }

      /// Does what was asked, and answers in chunks, without telling a length before.
      public static func chunked(_ end: Chunked = .whole, times: Int? = nil) -> Self {
        Self(chunked: end, times: times)
      }

      /// Answers 200 with a text that is no JSON, and does not do what was asked.
      public static func garbage(times: Int? = nil) -> Self {
        Self(garbage: true, times: times)
      }

      /// Holds a request back: a release lets it go on, a reset drops it.
      public static func silent(times: Int? = nil) -> Self {
        Self(silent: true, times: times)
      }

      /// Answers 307 to another address, and does not do what was asked.
      public static func redirect(to address: String, times: Int? = nil) -> Self {
        Self(redirect: address, times: times)
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
