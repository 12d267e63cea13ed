extension HTTPFormat {
  /// One route for each kind of call.
  ///
  /// The routes of calls with several models may be nil, for a service that takes one at a time:
  /// then each model is sent in a separate request, one after the other, by the route for one
  /// model, or several in one request to ``HTTPFormat/batch``. Such a call is not all or
  /// nothing; a `PartialError` says how far it came.
  public struct Routes: Sendable, Hashable {
    /// Gives the models that match; `GET {path}`, with the criteria as its query.
    public var find: Route

    /// Gives the model with an id; `GET {path}/{id}`.
    ///
    /// Criteria that ask for more than an id use ``find`` with `limit=1`; so do all when this is
    /// nil.
    public var findOne: Route?

    /// Says how many models match, where ``HTTPFormat/total`` says; nil, the default, for
    /// ``find``.
    public var count: Route?

    /// Adds an array of models; `POST {path}`.
    public var store: Route?

    /// Adds a model; `POST {path}`.
    public var storeOne: Route

    /// Changes an array of models, such as by `PATCH {path}`; nil, the default, for one after the other.
    public var update: Route?

    /// Changes a model; `PATCH {path}/{id}`.
    public var updateOne: Route

    /// Adds or replaces an array of models; `PUT {path}`.
    public var storeOrUpdate: Route?

    /// Adds or replaces a model, also when `storeOrUpdate` is called with one; `PUT {path}/{id}`.
    ///
    /// Nil for a service that has no such route: the model is then changed by ``updateOne``, and
    /// added by ``storeOne`` where there was nothing to change.
    public var storeOrUpdateOne: Route?

    /// Removes several models in one request, such as by `DELETE {path}`, with their ids as its query:
    /// `id[in]=1,2`; nil, the default, for one after the other.
    ///
    /// Name it only for a service that reads the query: one that passes over it may remove all models. One
    /// model is never removed by it.
    public var remove: Route?

    /// Removes a model; `DELETE {path}/{id}`.
    public var removeOne: Route

    /// The routes of a REST service that takes arrays of what is added and replaced.
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

    /// The routes of PostgREST and Supabase, whose rows a filter addresses by the column `id`.
    ///
    /// All properties are written, nil as `null`; those with a default of the database's belong into
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

    /// The routes of the Firebase Realtime Database, in which every path ends with `.json`.
    ///
    /// It makes what it is to change, so that changes and removals say the tag of what is there, and look for
    /// it where none is known.
    public static let firebase: Routes = {
      let one = "{path}/{id}.json"
      var routes = Routes(
        find: Route("GET", "{path}.json"),
        findOne: Route("GET", one, headers: ["X-Firebase-ETag": "true"]),
        store: nil,
        storeOne: Route("PUT", one, headers: ["If-Match": "null_etag"]),
        update: nil,
        updateOne: Route("PUT", one),
        storeOrUpdate: nil,
        storeOrUpdateOne: Route("PUT", one),
        remove: nil,
        removeOne: Route("DELETE", one)
      )
      routes.find.mayBeEmpty = true
      routes.findOne?.mayBeEmpty = true
      routes.updateOne.onlyIfPresent = true
      routes.removeOne.onlyIfPresent = true
      return routes
    }()

    /// The same routes, each with a slash at the end of its path, as Django's are.
    public var withTrailingSlashes: Routes {
      var routes = self
      routes.change { route in
        if !route.path.contains("?"), !route.path.hasSuffix("/") { route.path += "/" }
      }
      return routes
    }

    /// Changes every route, such as to add a header field to all writes.
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
  /// The method and the path of one kind of call, and what is special about it.
  ///
  /// ```swift
  /// format.routes.updateOne = .init("PATCH", "{path}?id=eq.{id}")
  /// format.routes.storeOne = .init("PUT", "{path}/{id}", onlyIfAbsent: true)
  /// ```
  public struct Route: Sendable, Hashable {
    /// The HTTP method, such as `PATCH`.
    public var method: String

    /// The path below the base URL, and a query if there is one.
    ///
    /// `{path}` is the repository's path, `{id}` the model's id. A slash at the end stays.
    public var path: String

    /// Whether a write's answer holds the models; if not, the call gives the models that were sent.
    public var answersModels: Bool

    /// Whether properties that are nil are sent as `null`, rather than left out.
    ///
    /// A service that merges what it receives would otherwise keep the value that was removed. This
    /// concerns the model's own properties, not those of the values inside them.
    public var writesNulls: Bool

    /// Whether only the properties are sent that differ from what the service is known to have.
    ///
    /// What it is known to have is what the write was made on, as a call through Evocation and the outbox
    /// say it by `WriteBase`, or else the model as this repository last gave or sent it. Where nothing is
    /// known, and after a write whose answer was lost, the whole model is sent; where nothing differs,
    /// nothing is. This concerns calls with one model.
    public var sendsChanges: Bool

    /// Whether the request says `If-None-Match: *`: a 412 then means that the model is there.
    public var onlyIfAbsent: Bool

    /// Whether one model is sent in an array.
    public var sendsArray: Bool

    /// Header fields of this route, such as `Prefer`; they go before those of the format and the service.
    ///
    /// They follow a redirect to another host, so none of them is to be a credential.
    public var headers: [String: String]

    /// Statuses beside 200 to 299 that say that it was done, such as a 404 to a removal, or to a
    /// page behind the last one.
    ///
    /// For the first page of a list they are errors all the same.
    public var done: Set<Int>

    /// How many models one request of a route for several has at most; nil, the default, for any number.
    ///
    /// A longer write takes several requests. 100 for the removal by a query, because many servers refuse
    /// addresses beyond 8 KiB.
    public var most: Int?

    /// Whether a removal has the ids in its body, one or an array of them, in place of its query.
    public var sendsIDs = false

    /// Whether a change or removal of a model of which no version is known asks first, by
    /// ``Routes/findOne``, whether it is there.
    ///
    /// For a service that makes what it is to change, and says of no removal whether there was something.
    /// Where the look gives a version, the write says it by `If-Match`, and nothing can come between.
    public var onlyIfPresent = false

    /// Whether an answer without a body, or with `null` in place of the models, says that there are none.
    public var mayBeEmpty = false

    /// Makes a route.
    public init(
      _ method: String,
      _ path: String = "{path}",
      answersModels: Bool = true,
      writesNulls: Bool = false,
      sendsChanges: Bool = false,
      onlyIfAbsent: Bool = false,
      sendsArray: Bool = false,
      headers: [String: String] = [:],
      done: Set<Int> = []
    ) {
      self.method = method
      self.path = path
      self.answersModels = answersModels
      self.writesNulls = writesNulls
      self.sendsChanges = sendsChanges
      self.onlyIfAbsent = onlyIfAbsent
      self.sendsArray = sendsArray
      self.headers = headers
      self.done = done
    }

    var namesModel: Bool { path.contains("{id}") }
  }
}
