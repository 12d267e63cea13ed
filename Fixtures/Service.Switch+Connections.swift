#if os(macOS) || os(Linux)
  extension Service.Switch {
    /// When the service ends a connection.
    public enum HangUp: String, Encodable, Sendable {
      /// Before it has done what was asked.
      case beforeActing = "before-acting"
      /// After it has done what was asked, before the first byte of the answer.
      case beforeAnswer = "before-answer"
      /// After half of the head.
      case midHead = "mid-head"
      /// After the head, which promises the whole body, and half of the body.
      case midAnswer = "mid-answer"
      /// After the whole answer, which does not say that the connection ends.
      case afterAnswer = "after-answer"

      /// What `beforeAnswer` is: what was asked is done, and nothing is answered.
      public static let afterActing = Self.beforeAnswer
    }

    /// How a connection ends.
    public enum Ending: String, Encodable, Sendable {
      /// By an end of data.
      case close
      /// By a reset.
      case reset
    }

    /// A part of an answer.
    public enum Part: String, Encodable, Sendable {
      /// The status line and the header fields.
      case head
      /// What comes after them.
      case body
    }

    /// Closes the connection before the answer is out, or right behind it.
    public static func hangUp(_ place: HangUp, times: Int? = nil) -> Self {
      Self(hangUp: place, times: times)
    }

    /// Resets the connection, which may take along what was sent of the answer.
    public static func reset(_ place: HangUp, times: Int? = nil) -> Self {
      Self(reset: place, times: times)
    }

    /// Does what was asked, and ends the connection when the next request arrives on it.
    ///
    /// That request is seen with its head alone, is not carried out, and meets no switch.
    public static func endsNext(by ending: Ending, times: Int? = nil) -> Self {
      Self(next: ending, times: times)
    }

    /// Does what was asked, and sends a part of the answer in small pieces over so long.
    public static func slow(_ part: Part, over time: Duration, times: Int? = nil) -> Self {
      Self(slow: part, seconds: time / .seconds(1), times: times)
    }
  }
#endif
