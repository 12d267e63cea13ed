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
      /// Forms, and lists that go on after a model: Stripe's kind.
      case stripe
      /// Records with fields, formulas, and a token for the next page: Airtable's kind.
      case airtable
      /// Resources with a type and attributes, links, and errors with pointers: JSON:API.
      case jsonapi
      /// Objects by id, and null for none: the Firebase Realtime Database's kind.
      case firebase
      /// Items in an envelope, nested filters, and 403 for what is not there: Directus' kind.
      case directus
      /// Snake case, an envelope, lists by offset, ids by the service, a sentence for each field: a
      /// company's own.
      case company
    }
  }
#endif
