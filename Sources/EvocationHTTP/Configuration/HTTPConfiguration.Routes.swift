extension HTTPConfiguration {
  /// One route for each kind of call.
  ///
  /// The routes of calls with several models may be nil, for a service that takes one at a time:
  /// then each model is sent in a separate request, one after the other, by the route for one
  /// model. Such a call is not all or nothing; ``HTTPPartialError`` says how far it came.
  public struct Routes: Sendable, Hashable {
    /// Gives the models that match; `GET {path}`, with the criteria as its query.
    public var find: Route

    /// Gives the model with an id; `GET {path}/{id}`.
    ///
    /// Criteria that ask for more than an id use ``find`` with `limit=1`; so do all when this is
    /// nil.
    public var findOne: Route?

    /// Adds an array of models; `POST {path}`.
    public var store: Route?

    /// Adds a model; `POST {path}`.
    public var storeOne: Route

    /// Changes an array of models; `PATCH {path}`.
    public var update: Route?

    /// Changes a model; `PATCH {path}/{id}`.
    public var updateOne: Route

    /// Adds or replaces an array of models; `PUT {path}`.
    public var storeOrUpdate: Route?

    /// Adds or replaces a model, also when `storeOrUpdate` is called with one; `PUT {path}/{id}`.
    public var storeOrUpdateOne: Route

    /// Removes models; `DELETE {path}`, with their ids as its query: `id[in]=1,2`.
    public var remove: Route?

    /// Removes a model; `DELETE {path}/{id}`.
    public var removeOne: Route

    /// The routes of a REST service that takes arrays.
    public static let rest = Routes(
      find: Route("GET"),
      findOne: Route("GET", "{path}/{id}"),
      store: Route("POST"),
      storeOne: Route("POST"),
      update: Route("PATCH", writesNulls: true),
      updateOne: Route("PATCH", "{path}/{id}", writesNulls: true),
      storeOrUpdate: Route("PUT"),
      storeOrUpdateOne: Route("PUT", "{path}/{id}"),
      remove: Route("DELETE"),
      removeOne: Route("DELETE", "{path}/{id}")
    )

    /// The routes of a REST service that takes one model at a time.
    public static let restOneByOne: Routes = {
      var routes = rest
      routes.store = nil
      routes.update = nil
      routes.storeOrUpdate = nil
      routes.remove = nil
      return routes
    }()
  }
}

extension HTTPConfiguration {
  /// The method and the path of one kind of call.
  public struct Route: Sendable, Hashable {
    /// The HTTP method, such as `PATCH`.
    public var method: String

    /// The path below the base URL: `{path}` is the repository's path, `{id}` the model's id.
    public var path: String

    /// Whether a write's answer holds the models; if not, the call gives the models that were sent.
    public var answersModels: Bool

    /// Whether properties that are nil are sent as `null`, rather than left out.
    ///
    /// A service that merges what it receives would otherwise keep the value that was removed. This
    /// concerns the model's own properties, not those of the values inside them.
    public var writesNulls: Bool

    /// Makes a route.
    public init(
      _ method: String,
      _ path: String = "{path}",
      answersModels: Bool = true,
      writesNulls: Bool = false
    ) {
      self.method = method
      self.path = path
      self.answersModels = answersModels
      self.writesNulls = writesNulls
    }

    var namesModel: Bool { path.contains("{id}") }
  }
}
