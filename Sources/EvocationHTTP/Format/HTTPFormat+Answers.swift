extension HTTPFormat {
  /// The JSON object that wraps the models.
  ///
  /// A key may contain dots for nested objects, such as `data.items`. In an answer a name may itself
  /// have dots, such as `@odata.value`: Evocation looks for the name as it stands first. A list whose
  /// elements wrap the models has empty brackets, as FHIR does: `entry[].resource`.
  public enum Envelope: Sendable, Hashable {
    /// No object: `[{"id": 1}]`.
    case none
    /// An object with one model or several under this key: `{"data": [{"id": 1}]}`.
    case key(String)
    /// Separate keys for lists and for single models; nil if there is no object.
    case keys(list: String?, model: String?)

    /// Returns the place of a list of models, or of one model; empty if there is no object.
    func place(isList: Bool) -> String {
      switch self {
      case .none: ""
      case .key(let key): key
      case .keys(let list, let model): (isList ? list : model) ?? ""
      }
    }
  }

  /// What becomes of a list of which an element does not decode, such as one with a new case of an enum.
  public enum Elements: Sendable, Hashable {
    /// The answer fails, and the error names the element. A rule's fallback answers as for any failure.
    case fail
    /// The answer leaves out each such element.
    ///
    /// The trace and the log say why, and `Result.leftOut` how many. A mirror keeps the model of such an
    /// element in the local store; if not even its id can be read, the answer removes no model. A list
    /// of changes is asked for again from the same change token, until all of it decodes.
    case leaveOut
  }

  /// The place of the total number of matching models, of which an answer may contain only a part.
  public enum Total: Sendable, Hashable {
    /// In a header field, such as `X-Total-Count`.
    case header(String)
    /// Under this key of the answer, with dots for nested keys: `meta.total`.
    case key(String)
    /// Behind the slash of `Content-Range: 0-24/406`.
    case contentRange
  }

  /// The way in which a list continues after an answer.
  ///
  /// Evocation follows a list to its end. It follows an address only at the service's own host, with
  /// the scheme and port of the base URL, even if the answer names others.
  public enum Next: Sendable, Hashable {
    /// Nowhere, because the service never pages: an answer has all models.
    case never
    /// In the field `Link`, as the address with the relation `next`; without one the list has ended.
    case link
    /// In a header field that holds the address, such as `Next-Page`.
    case header(String)
    /// Under this key of the answer, as an address, with dots for nested keys: `links.next`.
    case key(String)
    /// Under this key of the answer, as a token or number for a query item of the next request.
    ///
    /// The list has ended if there is no token, or if the value under `more` is false. If there is no
    /// token although the value under `more` is true, the list fails with an error.
    case token(String, item: String, more: String? = nil)
    /// By the next page number, until the number of pages under this key of the answer: `total_pages`.
    ///
    /// ``HTTPFilters/paging`` numbers the pages, and ``HTTPFilters/largestPage`` is their length.
    case pages(String)
    /// By the id of the last model as a query item, while the value under `more` is true.
    case last(item: String, more: String)
    /// By the next offset, in parts as long as ``HTTPFilters/largestPage``.
    ///
    /// The answers do not say that the list continues. The last part is recognized by the total number
    /// of models, or else by its length.
    case offset
  }

  /// The side that assigns the ids of new models.
  public enum Identifiers: Sendable {
    /// The app assigns them, and sends them with the model.
    case client
    /// The service assigns them: Evocation sends no id with a new model, and reads it from the answer.
    case service
    /// The service assigns an id if the closure returns true for the id's text, such as for `0`.
    case placeholder(@Sendable (String) -> Bool)
  }

  /// The header field with the key of a write, by which a service recognizes a repeated write.
  public enum Idempotency: Sendable, Hashable {
    /// Sends the key in this header field, without relying on the service to know it.
    ///
    /// If the answer to a write is lost, the error says that the write may have arrived. The outbox
    /// compares the service's model before it sends the write again.
    case sent(String)
    /// Sends the key in this header field; the service performs only one of several writes with one key.
    ///
    /// Evocation then sends a write again if the connection is lost before its answer.
    case key(String)

    /// The header field.
    public var field: String {
      switch self {
      case .sent(let field), .key(let field): field
      }
    }
  }

  /// The place of each model's result in an answer: `[{"status": 201, "body": {"id": 1}}]`.
  ///
  /// The results are an array, one for each model in the order of the request. The array is the answer
  /// itself, or is under any key of it.
  public struct Items: Sendable, Hashable {
    /// The key of the status.
    public var status: String

    /// The key of the model, or of its error; the item itself if it does not have this key.
    public var body: String

    /// Creates the keys.
    public init(status: String = "status", body: String = "body") {
      self.status = status
      self.body = body
    }
  }

  /// The kind of value that identifies a version of a model, so that no change by others is lost.
  public enum Version: Sendable, Hashable {
    /// The field `ETag`, sent back as `If-Match`.
    case entityTag
    /// The field `Last-Modified`, sent back as `If-Unmodified-Since`.
    case lastModified
    /// A property of the model as the service sends it, sent back in double quotes as `If-Match`.
    ///
    /// Your model type need not have this property. A nested one has dots, such as `meta.rev`. If
    /// ``HTTPFormat/attributes`` is set, it may be in that object or beside it.
    case property(String)
  }
}

extension HTTPFormat {
  /// The places of error messages in a service's answers, and the meaning of its refusals.
  ///
  /// ```swift
  /// format.refusals.message = ["detail"]
  /// format.refusals.rules = [.init(400, contains: "already exists", means: .alreadyExists)]
  /// ```
  public struct Refusals: Sendable {
    /// The keys of the service's own message, with dots for nested keys; the first existing one counts.
    public var message: [String]

    /// The keys of errors of single fields; the first existing one counts, and `""` is the answer itself.
    ///
    /// The errors are in one of these forms:
    ///
    /// - An object of names and sentences.
    /// - An array of objects, each with a name (`field`, `name`, `path`, `property`, `param`,
    ///   `extensions.field`, `source.parameter`, `source.pointer`, `loc`) and a sentence (`message`,
    ///   `detail`, `msg`, `description`, `code`).
    /// - One such object, with a `type` beside its `message`.
    ///
    /// The errors of Pydantic, `[{"loc": ["body", "year"], "msg": "…"}]`, are also found under a key that
    /// is not named here, such as FastAPI's `detail`.
    public var fields: [String]

    /// The keys of the service's model in the answer to a conflict; `""` is the answer itself.
    public var current: [String]

    /// The meanings of answers that do not follow from the status; the first match counts.
    ///
    /// Evocation asks the rules for each answer, also for those of 200 to 299 and for a route's
    /// ``HTTPFormat/Route/done``. If one matches, the answer is a refusal. An answer with a result for
    /// each of several models is asked for each result.
    public var rules: [Match]

    /// A closure that says what an answer means for which no rule matches; nil, the default, for none.
    ///
    /// It receives the status, and the body as `JSONSerialization` reads it; nil for a body that is not
    /// JSON. It is called on any thread, for every answer, and returns nil for what the status says.
    ///
    /// ```swift
    /// format.refusals.meaning = { status, json in
    ///   let answer = json as? [String: Any]
    ///   return status == 200 && answer?["code"] as? Int == 7 ? .client : nil
    /// }
    /// ```
    public var meaning: (@Sendable (_ status: Int, _ json: Any?) -> HTTPError.Code?)?

    /// Creates refusals, with the keys that many services use as defaults.
    public init(
      message: [String] = [
        "message", "detail", "error.message", "error_description", "error", "detail.message",
        "detail.0.msg", "errors.0.message",
      ],
      fields: [String] = ["errors", "error.errors", "details", "fields", ""],
      current: [String] = ["", "current", "details.existing"],
      rules: [Match] = []
    ) {
      self.message = message
      self.fields = fields
      self.current = current
      self.rules = rules
    }

    /// The meaning of one refusal.
    ///
    /// ```swift
    /// format.refusals.rules = [.init(200, key: "errors", means: .client)]
    /// ```
    public struct Match: Sendable, Hashable {
      /// The status.
      public var status: Int

      /// The key whose text is searched, with dots for nested keys; nil for the whole body.
      public var key: String?

      /// The words that the text must contain, in upper or lower case; nil for any text.
      ///
      /// Numbers and Booleans have the text that they have in JSON. With a key and without words, the
      /// key must have a value other than null, false, 0, an empty text, array or object. The whole body
      /// is searched in its first MiB; blanks between JSON's signs do not count.
      public var contains: String?

      /// The meaning, such as ``HTTPError/Code/alreadyExists``.
      public var meaning: HTTPError.Code

      /// Creates a match.
      public init(
        _ status: Int, key: String? = nil, contains: String? = nil, means meaning: HTTPError.Code
      ) {
        self.status = status
        self.key = key
        self.contains = contains
        self.meaning = meaning
      }
    }
  }
}

extension HTTPFormat {
  /// A route that takes several requests in one, for models that are sent one at a time.
  ///
  /// The body is `{"requests": [{"method", "path", "body", "headers"}]}`, and the answer is
  /// `{"responses": [{"status", "body", "headers"}]}`, as in Kinto and other services. Set ``requests``
  /// and ``responses`` if your service has other names.
  public struct Batch: Sendable, Hashable {
    /// The path below the base URL; `{path}` is the path of the repository.
    public var path: String

    /// How many requests one batch has at most; at least 1.
    public var size: Int

    /// Whether the service performs either all requests in their order, or none.
    ///
    /// Evocation then sends everything that an app writes by `Evocation.together(_:)` in one request,
    /// for all model types.
    public var isAtomic: Bool

    /// The key of the requests.
    public var requests: String

    /// The key of the answers.
    public var responses: String

    /// Creates a batch endpoint.
    public init(
      _ path: String, size: Int, isAtomic: Bool = false, requests: String = "requests",
      responses: String = "responses"
    ) {
      self.path = path
      self.size = size
      self.isAtomic = isAtomic
      self.requests = requests
      self.responses = responses
    }
  }

  /// The way to ask a service only for what changed since a change token (`mark`).
  public struct ChangeList: Sendable, Hashable {
    /// The query item whose value is the change token, such as `_since`.
    public var query: String

    /// The place of the next change token in an answer.
    public var mark: Mark

    /// The key whose value is true for a removed model, such as `deleted`, with dots for nested keys.
    public var removed: String

    /// Creates a list of changes.
    public init(since query: String, mark: Mark, removed: String = "deleted") {
      self.query = query
      self.mark = mark
      self.removed = removed
    }

    /// The place of the next change token in an answer.
    public enum Mark: Sendable, Hashable {
      /// In a header field, without the quotes of an entity tag, such as `ETag`.
      case header(String)
      /// Under this key of the answer, with dots for nested keys.
      case key(String)
    }
  }
}
