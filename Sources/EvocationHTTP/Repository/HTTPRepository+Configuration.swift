public import Foundation

extension HTTPRepository {
  /// Creates a repository, without sending anything.
  @available(
    *, deprecated,
    message: "Write HTTPRepository(HTTPService(baseURL), path, format:), and share the service."
  )
  public convenience init(
    baseURL: URL, path: String, configuration: HTTPConfiguration = .init()
  ) {
    self.init(configuration.service(at: baseURL), path, format: configuration.format)
  }
}
