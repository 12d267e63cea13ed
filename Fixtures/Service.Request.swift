#if os(macOS) || os(Linux)
  extension Service {
    /// A request as the service saw it on the wire.
    public struct Request: Decodable, Sendable, Hashable {
      /// The method, in capitals.
      public let method: String
      /// The path, with its percent encoding.
      public let path: String
      /// The query with its percent encoding, empty when there is none.
      public let query: String
      /// The headers by their names in lower case.
      public let headers: [String: String]
      /// The body as text, nil when it is empty.
      public let body: String?
      /// The status that it was answered with, nil while it is held back or when it was dropped.
      public let status: Int?
      /// The number of the connection that it came on; requests on a kept one have the same.
      public let connection: Int
    }
  }
#endif
