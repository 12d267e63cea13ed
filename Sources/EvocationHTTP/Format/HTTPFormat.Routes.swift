public import Evocation

extension HTTPFormat {
  /// One route for each kind of call.
  ///
  /// A route for several models may be nil if the service takes one model at a time. Evocation then
  /// sends each model in a separate request, one after the other, by the route for one model. If the
  /// format has a ``HTTPFormat/batch``, one request has several of them. Such a call is not all or
  /// nothing: a `PartialError` lists the models that were written.
  public struct Routes: Sendable {
    /// Finds the models that match; `GET {path}`, with the criteria as its query.
    public var find: Route

    /// Finds the model with an id; `GET {path}/{id}`.
    ///
    /// Criteria with more than an id use ``find`` with `limit=1`. If this route is nil, all criteria
    /// do.
    public var findOne: Route?

    /// Counts the models that match, by ``HTTPFormat/total``; nil, the default, uses ``find``.
    public var count: Route?

    /// Adds an array of models; `POST {path}`.
    public var store: Route?

    /// Adds a model; `POST {path}`.
    public var storeOne: Route

    /// Changes an array of models, such as by `PATCH {path}`; nil, the default, sends them one by one.
    public var update: Route?

    /// Changes a model; `PATCH {path}/{id}`.
    public var updateOne: Route

    /// Adds or replaces an array of models; `PUT {path}`.
    public var storeOrUpdate: Route?

    /// Adds or replaces a model; `PUT {path}/{id}`.
    ///
    /// A `storeOrUpdate` of one model uses it too. If the service has no such route, set it to nil:
    /// Evocation then changes the model by ``updateOne``, and adds it by ``storeOne`` if the service
    /// does not have it.
    public var storeOrUpdateOne: Route?

    /// Removes several models in one request; nil, the default, removes them one by one.
    ///
    /// An example is `DELETE {path}` with the ids as its query: `id[in]=1,2`. Set it only for a service
    /// that reads the query. A service that ignores the query may remove all models. Evocation never
    /// removes a single model by this route.
    public var remove: Route?

    /// Removes a model; `DELETE {path}/{id}`.
    public var removeOne: Route

    /// The routes of a REST service that adds and replaces arrays of models.
    public static let rest = Routes(
      find: Route("GET"),
      findOne: Route("GET", "{path}/{id}"),
      store: Route("POST"),
      storeOne: Route("POST"),
      update: nil,
      updateOne: Route("PATCH", "{path}/{id}", writesNulls: true),
      storeOrUpdate: Route("PUT"),
      storeOrUpdateOne: Route("PUT", "{path}/{id}"),
      remove: nil,
      removeOne: Route("DELETE", "{path}/{id}")
    )

    /// The routes of a REST service that takes one model at a time.
    public static let restOneByOne: Routes = {
      var routes = rest
      routes.store = nil
      routes.storeOrUpdate = nil
      return routes
    }()

    /// The routes of PostgREST and Supabase, where a filter addresses a row by the column `id`.
    ///
    /// A write sends all properties, and nil as `null`. Put columns with a database default into
    /// ``HTTPFormat/readOnlyKeys``.
    public static let postgREST: Routes = {
      let one = "{path}?id=eq.{id}"
      let rows = ["Prefer": "return=representation"]
      var removal = Route("DELETE", headers: rows)
      removal.most = 100
      let merged = ["Prefer": "resolution=merge-duplicates,return=representation"]
      return Routes(
        find: Route("GET", done: [416]),
        findOne: nil,
        count: Route("GET", headers: ["Prefer": "count=exact"]),
        store: Route("POST", writesNulls: true, headers: rows),
        storeOne: Route("POST", writesNulls: true, headers: rows),
        update: nil,
        updateOne: Route("PATCH", one, writesNulls: true, headers: rows),
        storeOrUpdate: Route("POST", writesNulls: true, headers: merged),
        storeOrUpdateOne: Route("POST", writesNulls: true, headers: merged),
        remove: removal,
        removeOne: Route("DELETE", one, headers: rows)
      )
    }()

    /// The same routes, each with a slash at the end of its path, as Django has them.
    public var withTrailingSlashes: Routes {
      var routes = self
      routes.change { route in
        if !route.path.contains("?"), !route.path.hasSuffix("/") { route.path += "/" }
      }
      return routes
    }

    /// Changes every route, for example to add a header field to all of them.
    public mutating func change(_ change: (inout Route) -> Void) {
      for path: WritableKeyPath<Routes, Route> in [
        \.find, \.storeOne, \.updateOne, \.removeOne,
      ] {
        change(&self[keyPath: path])
      }
      for path: WritableKeyPath<Routes, Route?> in [
        \.findOne, \.count, \.store, \.update, \.storeOrUpdate, \.storeOrUpdateOne, \.remove,
      ] {
        guard var route = self[keyPath: path] else { continue }
        change(&route)
        self[keyPath: path] = route
      }
    }
  }
}

extension HTTPFormat {
  /// The method and path of one kind of call, and its special properties.
  ///
  /// ```swift
  /// format.routes.updateOne = .init("PATCH", "{path}?id=eq.{id}")
  /// format.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
  /// ```
  public struct Route: Sendable {
    /// The HTTP method, such as `PATCH`.
    public var method: String

    /// The path below the base URL, with a query if there is one.
    ///
    /// `{path}` is the repository's path, `{id}` the model's id. A slash at the end stays.
    public var path: String

    /// Whether the answer to a write has the models; if not, the call returns the models that it sent.
    ///
    /// They have the id and the version that the answer has: `{"_id": 7, "_etag": "a1"}`. An answer that
    /// is to have models may lack keys too, if it has the id: the others are as they were sent.
    public var answersModels: Bool

    /// The place of the new model's id in an answer without a model, if that is not the models' key.
    ///
    /// It is `name` in Firebase, which answers `{"name": "-INOQPH"}`. An answer has no model then.
    public var answeredID: String?

    /// Whether properties that are nil are sent as `null`, and not left out.
    ///
    /// Without it, a service that merges what it receives keeps a removed value. This concerns the
    /// model's own properties, not those of the values inside them.
    public var writesNulls: Bool

    /// Whether only properties are sent that differ from the model that the service has; true for `PATCH`.
    ///
    /// That model is the one on which the write was based, as a call through Evocation and the outbox
    /// pass it by `WriteBase`. Otherwise it is the model as this repository last read or sent it. If
    /// neither is known, or if the answer to a write was lost, the whole model is sent. If nothing
    /// differs, a `PATCH` sends what your app has read, so that the service is asked; if you set this
    /// property yourself, nothing is sent. This concerns requests for one model.
    ///
    /// A route without it replaces the service's model, as `PUT` does: a model of which no answer had all
    /// properties is then refused. Before a `PUT`, Evocation asks for what the service has under keys that
    /// your type does not have, if answers have had any, and gives it back.
    public var sendsChanges: Bool {
      didSet { isByMethod = false }
    }

    /// Whether ``sendsChanges`` follows from the method.
    private(set) var isByMethod: Bool

    /// The way in which the body is written; nil, the default, for that of the format.
    ///
    /// A route that reads has a body only if it has this:
    ///
    /// ```swift
    /// format.routes.find = .init("POST", "{path}/search", body: .query)
    /// ```
    ///
    /// Such a request is a read whatever its method: Evocation repeats it after a lost connection.
    public var body: HTTPBody?

    /// Whether the request has `If-None-Match: *`; a 412 then means that the model exists.
    public var onlyIfAbsent: Bool

    /// Whether one model is sent in an array.
    public var sendsArray: Bool

    /// Header fields of this route, such as `Prefer`; they override those of the format and the service.
    ///
    /// A redirect to another host carries them, so none of them may be a credential.
    public var headers: [String: String]

    /// Statuses outside 200 to 299 that count as success.
    ///
    /// Examples are a 404 to a removal, or to a page behind the last one. For the first page of a list
    /// they are errors nevertheless.
    public var done: Set<Int>

    /// How many models one request for several models has at most; nil, the default, sets no limit.
    ///
    /// A longer write takes several requests. ``Routes/postgREST`` sets 100 for removals, whose ids are
    /// in the query, because many servers refuse addresses beyond 8 KiB.
    public var most: Int?

    /// Whether a removal has its id or an array of ids in the body, and not in the query.
    public var sendsIDs = false

    /// Whether a change or removal first checks that the model exists, if no version of it is known.
    ///
    /// Evocation checks by ``Routes/findOne``. Set it for a service that creates a model that a change
    /// does not find, and that does not report whether it removed one. If the check returns a version,
    /// the write sends it as `If-Match`, so that no other change can come between. If it returns another
    /// model than the one on which the change was made, the write is not sent, and the error is
    /// ``HTTPError/Code/preconditionFailed``.
    public var onlyIfPresent = false

    /// Whether an answer without a body, or with `null` instead of models, means that there are none.
    public var mayBeEmpty = false

    /// The longest time for a request and its answer; nil, the default, for that of the service.
    public var timeout: Duration?

    /// The key of a write by this route; nil, the default, for that of the format.
    public var idempotency: Idempotency?

    /// Keys that this route does not send, besides the format's ``HTTPFormat/readOnlyKeys``.
    public var readOnlyKeys: Set<Criteria.Key> = []

    /// Creates a route.
    public init(
      _ method: String,
      _ path: String = "{path}",
      answersModels: Bool = true,
      writesNulls: Bool = false,
      sendsChanges: Bool? = nil,
      onlyIfAbsent: Bool = false,
      sendsArray: Bool = false,
      headers: [String: String] = [:],
      done: Set<Int> = [],
      body: HTTPBody? = nil
    ) {
      self.method = method
      self.path = path
      self.answersModels = answersModels
      self.writesNulls = writesNulls
      self.sendsChanges = sendsChanges ?? (method.uppercased() == "PATCH")
      isByMethod = sendsChanges == nil
      self.onlyIfAbsent = onlyIfAbsent
      self.sendsArray = sendsArray
      self.headers = headers
      self.done = done
      self.body = body
    }

    var namesModel: Bool { path.contains("{id}") }

    /// Whether a request has the id of one model, in its address or in its body.
    var hasID: Bool { namesModel || body != nil }
  }
}
