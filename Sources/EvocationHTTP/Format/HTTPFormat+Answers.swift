extension HTTPFormat {
  /// The object that wraps the models in JSON.
  ///
  /// A key may have dots for objects within objects, as in `data.items`.
  public enum Envelope: Sendable, Hashable {
    /// No object: `[{"id": 1}]`.
    case none
    /// An object that holds them under this key, one or several: `{"data": [{"id": 1}]}`.
    case key(String)
    /// An object for several and another for one; nil for none.
    case keys(list: String?, model: String?)

    /// The keys under which several models, or one, are found.
    func path(isList: Bool) -> [String] {
      let key: String? =
        switch self {
        case .none: nil
        case .key(let key): key
        case .keys(let list, let model): isList ? list : model
        }
      return key.map(Self.parts) ?? []
    }

    static func parts(_ key: String) -> [String] {
      key.split(separator: ".", omittingEmptySubsequences: true).map(String.init)
    }
  }

  /// Where an answer says how many models match in all, of which it may give a part.
  public enum Total: Sendable, Hashable {
    /// In a header field, such as `X-Total-Count`.
    case header(String)
    /// Under this key of the answer, with dots for nested ones: `meta.total`.
    case key(String)
    /// Behind the slash of `Content-Range: 0-24/406`.
    case contentRange
  }

  /// Where an answer says how the list goes on.
  ///
  /// A list that goes on is followed to its end. An address is followed at the service's own host alone,
  /// by the scheme and port of its base URL, whatever the answer says.
  public enum Next: Sendable, Hashable {
    /// Nowhere, since the service never pages: an answer has all the models.
    case never
    /// In the field `Link`, as the address with the relation `next`; without one the list is at its end.
    case link
    /// In a header field that holds the address, such as `Next-Page`.
    case header(String)
    /// Under this key of the answer, as an address, with dots for nested ones: `links.next`.
    case key(String)
    /// Under this key of the answer, as a token or number that becomes a query item of the next request.
    ///
    /// The list is at its end where there is none, or where the value under `more` is false.
    case token(String, item: String, more: String? = nil)
    /// By the id of an answer's last model, as a query item of the next request, while the value under
    /// this key is true.
    case last(item: String, more: String)
    /// Nowhere: it goes on at the next offset, in parts as long as ``HTTPFilters/largestPage``, until one
    /// is the last by the number of all, or else by its length.
    case offset
  }

  /// Who gives new models their ids.
  public enum Identifiers: Sendable {
    /// The app: they are sent with the model.
    case client
    /// The service: they are never sent with a new model, and the answer has the ones that it gave.
    case service
    /// The service, to models whose id stands for none, such as 0: the closure is given its text.
    case placeholder(@Sendable (String) -> Bool)
  }

  /// How the key of a write is sent, by which a service can tell that it has carried the write out already.
  public enum Idempotency: Sendable, Hashable {
    /// In this header field; whether the service knows the field is left open.
    ///
    /// A write whose answer is lost is an error then, which says that it may have arrived. The outbox
    /// compares before it sends it again.
    case sent(String)
    /// In this header field, and the service carries out once what it gets twice with one key.
    ///
    /// A write is sent again then when the connection is lost before its answer.
    case key(String)

    /// The header field.
    public var field: String {
      switch self {
      case .sent(let field), .key(let field): field
      }
    }
  }

  /// Where an answer for several models says what became of each: `[{"status": 201, "body": {"id": 1}}]`.
  ///
  /// They stand in an array, one for each model in the order of the request, at the answer's top or under
  /// any key.
  public struct Items: Sendable, Hashable {
    /// The key of the status.
    public var status: String

    /// The key of the model, or of what is wrong with it; where there is none, it is the item itself.
    public var body: String

    /// Makes the keys.
    public init(status: String = "status", body: String = "body") {
      self.status = status
      self.body = body
    }
  }

  /// What tells one version of a model from another, so that no change of others is overwritten.
  public enum Version: Sendable, Hashable {
    /// The field `ETag`, sent back as `If-Match`.
    case entityTag
    /// The field `Last-Modified`, sent back as `If-Unmodified-Since`.
    case lastModified
    /// A property of the model as the service sends it, which need not be one of the type; sent
    /// back in double quotes as `If-Match`.
    case property(String)
  }
}

extension HTTPFormat {
  /// Where a service says what is wrong, and what its refusals mean.
  ///
  /// ```swift
  /// format.refusals.message = ["detail"]
  /// format.refusals.rules = [.init(400, contains: "already exists", means: .alreadyExists)]
  /// ```
  public struct Refusals: Sendable, Hashable {
    /// Where the service's own words stand, with dots for nested keys; the first that is there.
    public var message: [String]

    /// Where errors of single fields stand; the first that is there, and `""` for the answer itself.
    ///
    /// They are an object of names and sentences, or an array of objects, each with a name (`field`,
    /// `name`, `path`, `property`, `param`, `extensions.field`, `source.parameter`, `source.pointer`) and a
    /// sentence (`message`, `detail`, `description`, `code`); or one such object
    /// with a `type` beside its `message`.
    public var fields: [String]

    /// Where the service's model stands in the answer to a conflict, and `""` for the answer itself.
    public var current: [String]

    /// What single refusals mean, where that does not follow from the status; the first that fits.
    public var rules: [Match]

    /// Makes the places at which many services have them.
    public init(
      message: [String] = ["message", "detail", "error.message", "error_description", "error"],
      fields: [String] = ["errors", "error.errors", "details", "fields", ""],
      current: [String] = ["", "current", "details.existing"],
      rules: [Match] = []
    ) {
      self.message = message
      self.fields = fields
      self.current = current
      self.rules = rules
    }

    /// What ``Match`` was called.
    @available(*, deprecated, renamed: "Match")
    public typealias Rule = Match

    /// What one refusal means.
    public struct Match: Sendable, Hashable {
      /// The status.
      public var status: Int

      /// The key whose text is looked at, with dots for nested ones; nil for the whole body.
      public var key: String?

      /// What the text has in it, in whatever case; nil for any text.
      public var contains: String?

      /// What it means, such as ``HTTPError/Code/alreadyExists``.
      public var meaning: HTTPError.Code

      /// Makes a match.
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
  /// The body is `{"requests": [{"method", "path", "body", "headers"}]}`, the answer
  /// `{"responses": [{"status", "body", "headers"}]}`, after Kinto and others; names that differ are
  /// set here.
  public struct Batch: Sendable, Hashable {
    /// The path below the base URL; `{path}` is the repository's.
    public var path: String

    /// How many requests it takes at once; at least 1.
    public var size: Int

    /// Whether the service carries the requests out all or none, in their order.
    ///
    /// What an app writes by `Evocation.together(_:)` is sent in one request then, whatever its models are.
    public var isAtomic: Bool

    /// What holds the requests.
    public var requests: String

    /// What holds the answers.
    public var responses: String

    /// Makes a batch endpoint.
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

  /// What ``ChangeList`` was called.
  @available(*, deprecated, renamed: "ChangeList")
  public typealias Changes = ChangeList

  /// How a service is asked only for what changed since a mark.
  public struct ChangeList: Sendable, Hashable {
    /// The query item that says since when, such as `_since`; its value is the mark.
    public var query: String

    /// Where an answer says the mark for the next time.
    public var mark: Mark

    /// The key that is true where a model was removed, such as `deleted`.
    public var removed: String

    /// Makes changes.
    public init(since query: String, mark: Mark, removed: String = "deleted") {
      self.query = query
      self.mark = mark
      self.removed = removed
    }

    /// Where an answer says the mark for the next time.
    public enum Mark: Sendable, Hashable {
      /// In a header field, without the quotes of an entity tag, such as `ETag`.
      case header(String)
      /// Under this key of the answer, with dots for nested ones.
      case key(String)
    }
  }
}
