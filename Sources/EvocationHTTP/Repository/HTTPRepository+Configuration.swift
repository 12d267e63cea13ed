public import Foundation

extension HTTPRepository {
  /// Makes a repository; nothing is sent yet.
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
