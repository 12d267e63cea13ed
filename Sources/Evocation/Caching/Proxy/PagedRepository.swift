/// A remote repository that knows how its server's lists continue.
package protocol PagedRepository<Model>: Repository {
  /// How lists request their pages, where the app does not say it.
  var paging: ProxyPaging { get }
}
