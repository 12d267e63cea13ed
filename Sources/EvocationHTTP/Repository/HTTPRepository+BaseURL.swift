public import Foundation

extension HTTPRepository {
  /// Creates the repository of a service that no other model type shares, without sending anything.
  ///
  /// Model types that share a service share its credential, limits and remembered answers. Create one
  /// ``HTTPService`` for them.
  ///
  /// - Parameters:
  ///   - baseURL: The address of the service.
  ///   - path: The path of the models below it.
  ///   - configuration: How requests are sent; by default with a `URLSession` and no credential.
  ///   - format: How the service writes models; plain REST by default.
  public convenience init(
    baseURL: URL, path: String, configuration: HTTPService.Configuration = .init(),
    format: HTTPFormat = .rest
  ) {
    self.init(HTTPService(baseURL, configuration: configuration), path, format: format)
  }
}
