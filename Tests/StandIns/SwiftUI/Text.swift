// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(_ value: String) {}
  public init(stringLiteral value: String) {}
  public init(stringInterpolation: StringInterpolation) {}

  public struct StringInterpolation: StringInterpolationProtocol {
    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {}
    public mutating func appendInterpolation(_ string: String) {}
    public mutating func appendInterpolation(_ number: Int) {}
  }
}

public struct Text: Equatable, Sendable {
  public init(
    _ key: LocalizedStringKey, tableName: String? = nil, bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) {}

  @_disfavoredOverload public init(_ content: some StringProtocol) {}
}

extension Text: View {
  public typealias Body = Never
}

public struct Image: Equatable, Sendable {
  public init(systemName: String) {}
}

extension Image: View {
  public typealias Body = Never
}

public struct Label<Title: View, Icon: View>: View {
  public typealias Body = Never
}

extension Label where Title == Text, Icon == Image {
  nonisolated public init(_ titleKey: LocalizedStringKey, systemImage name: String) {}

  @_disfavoredOverload nonisolated public init(
    _ title: some StringProtocol, systemImage name: String
  ) {}
}

public struct Font: Hashable, Sendable {
  public static let headline = Font()
  public static let footnote = Font()
}
