#if os(macOS) || os(Linux)
  extension Service {
    /// How the service speaks of its data; `README.md` beside this file says each in full.
    public enum Dialect: String, Sendable, CaseIterable {
      /// The service's own: arrays, one model or many at a time, and strong entity tags.
      case plain
      /// Bare arrays, page numbers and the field `Link`, limits in headers: GitHub's kind.
      case links
      /// Lists in an envelope, slashes at the end, ids by the service: Django REST framework's kind.
      case envelope
      /// Records that PUT creates, with timestamps for entity tags, and batches: Kinto's kind.
      case records
      /// Rows that a filter addresses, and preferences: PostgREST's, which Supabase speaks.
      case postgrest
    }
  }
#endif
