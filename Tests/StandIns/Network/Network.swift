// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Dispatch
@_exported import Foundation

public final class NWPathMonitor: @unchecked Sendable {  // a stand-in has no state to guard
  public init() {}

  @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
    get { nil }
    set {}
  }

  public func start(queue: DispatchQueue) {}
  public func cancel() {}
}

public struct NWPath: Equatable, Sendable {
  public enum Status: Sendable {
    case satisfied, unsatisfied, requiresConnection
  }

  public let status: Status
}
