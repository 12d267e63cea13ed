// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Logger: @unchecked Sendable {  // a stand-in has no state to guard
  public init(subsystem: String, category: String) {}

  public func notice(_ message: OSLogMessage) {}
  public func error(_ message: OSLogMessage) {}
}

public struct OSLogPrivacy {
  public static var `public`: OSLogPrivacy { OSLogPrivacy() }
  public static var `private`: OSLogPrivacy { OSLogPrivacy() }
  public static var auto: OSLogPrivacy { OSLogPrivacy() }
}

public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
  public typealias StringInterpolation = OSLogInterpolation

  public init(stringInterpolation: OSLogInterpolation) {}
  public init(stringLiteral value: String) {}
}

public struct OSLogInterpolation: StringInterpolationProtocol {
  public init(literalCapacity: Int, interpolationCount: Int) {}

  public mutating func appendLiteral(_ literal: String) {}

  public mutating func appendInterpolation(
    _ argument: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .auto
  ) {}
}
