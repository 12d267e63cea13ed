#if os(macOS) || os(Linux)
  extension Service.Switch {
    /// Where an answer without a length ends.
    public enum Chunked: String, Encodable, Sendable {
      /// After the whole of the body.
      case whole
      /// Never: the connection stays open after the body until the client closes it.
      case unending
    }

    /// How an answer goes on for as long as its client reads.
    public enum Endless: String, Encodable, Sendable {
      /// Without a length, as if the end of the connection told it.
      case untilClosed = "until-closed"
      /// In chunks, of which none is the last.
      case chunked
    }

    /// A form of compression.
    public enum Compression: String, Encodable, Sendable {
      /// As in a file of gzip.
      case gzip
      /// As zlib writes it.
      case deflate
    }

    /// What is no HTTP, or HTTP that no client should believe.
    public enum Broken: String, Encodable, Sendable, CaseIterable {
      /// A status line without a number in its place.
      case statusLine = "status-line"
      /// A status of five digits.
      case statusNumber = "status-number"
      /// The first line of another protocol.
      case noHTTP = "no-http"
      /// A head of a megabyte, of a thousand fields.
      case hugeHead = "huge-head"
      /// A length of 2^63-1.
      case hugeLength = "huge-length"
      /// A length below 0.
      case negativeLength = "negative-length"
      /// Two lengths that differ.
      case twoLengths = "two-lengths"
      /// Chunks with header fields behind them, which is HTTP, and rare.
      case trailers
      /// A chunk whose size is no number.
      case chunkSize = "chunk-size"
      /// A chunk of 2^64-1 bytes.
      case hugeChunk = "huge-chunk"
    }

    /// Does what was asked, and answers in chunks, without telling a length before.
    public static func chunked(_ end: Chunked = .whole, times: Int? = nil) -> Self {
      Self(chunked: end, times: times)
    }

    /// Does what was asked, and answers it in a broken form; the connection ends behind it.
    public static func broken(_ form: Broken, times: Int? = nil) -> Self {
      Self(broken: form, times: times)
    }

    /// Does what was asked, and follows the answer with spaces for as long as the client reads.
    public static func endless(_ form: Endless, times: Int? = nil) -> Self {
      Self(endless: form, times: times)
    }

    /// Does what was asked, and answers half of the body as if it were whole.
    public static func truncated(times: Int? = nil) -> Self {
      Self(truncated: true, times: times)
    }

    /// Does what was asked, and calls the answer something else than JSON.
    public static func contentType(_ type: String, times: Int? = nil) -> Self {
      Self(contentType: type, times: times)
    }

    /// Does what was asked, and answers it compressed.
    public static func compressed(_ form: Compression, times: Int? = nil) -> Self {
      Self(compressed: form, times: times)
    }

    /// Does what was asked, and answers an array of so many millions of spaces, compressed.
    public static func bomb(
      _ form: Compression, megabytes: Int = 300, times: Int? = nil
    ) -> Self {
      Self(bomb: form, megabytes: megabytes, times: times)
    }
  }
#endif
