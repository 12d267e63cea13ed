#if os(macOS) || os(Linux)
  extension Service {
    /// How much was asked of the service at once, since its start or its last reset.
    public struct Load: Decodable, Sendable, Hashable {
      /// The highest number of requests that were under way at the same time.
      public let atOnce: Int
      /// The connections that requests came on, those of control apart.
      public let connections: Int

      private enum CodingKeys: String, CodingKey {
        case atOnce = "at_once"
        case connections
      }
    }
  }
#endif
