// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension View where Body == Never {
  public var body: Never { return absent() }
}

extension Never: View, Scene, ToolbarContent {
  public var body: Never { return absent() }
}

/// What a modifier of the stand-in returns.
struct Modified: View {
  nonisolated init() {}

  typealias Body = Never
}

@resultBuilder public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { TupleView() }

  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> _ConditionalContent<First, Second> { _ConditionalContent() }

  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> _ConditionalContent<First, Second> { _ConditionalContent() }
}

public struct EmptyView: View {
  nonisolated public init() {}

  public typealias Body = Never
}

public struct TupleView<T>: View {
  nonisolated init() {}

  public typealias Body = Never
}

// swift-format-ignore: NoLeadingUnderscores
public struct _ConditionalContent<TrueContent, FalseContent> {
  nonisolated init() {}
}

extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
  public typealias Body = Never
}

extension Optional: View where Wrapped: View {
  public typealias Body = Never
}

func absent<Value>() -> Value { fatalError("A stand-in is compiled, and never runs.") }
