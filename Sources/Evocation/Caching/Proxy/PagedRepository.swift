/// A remote repository that knows how its server's lists continue.
package protocol PagedRepository<Model>: Repository {
  /// How lists request their pages, where the app does not say it.
  var paging: ProxyPaging { get }
}

extension InterceptedRepository: PagedRepository where Wrapped: PagedRepository {
  /// How the wrapped repository's lists request their pages.
  package var paging: ProxyPaging { wrapped.paging }
}
