// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct NavigationStack<Root: View>: View {
  nonisolated public init(@ViewBuilder root: () -> Root) {}

  public typealias Body = Never
}

public struct NavigationLink<Label: View, Destination: View>: View {
  nonisolated public init(
    @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
  ) {}

  public typealias Body = Never
}

extension NavigationLink where Label == Text {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination
  ) {}
}

@MainActor @preconcurrency public protocol ToolbarContent {
  associatedtype Body: ToolbarContent
  @ToolbarContentBuilder @MainActor @preconcurrency var body: Body { get }
}

extension ToolbarContent where Body == Never {
  public var body: Never { return absent() }
}

@resultBuilder public struct ToolbarContentBuilder {
  public static func buildExpression<Content: ToolbarContent>(
    _ content: Content
  ) -> Content { content }

  public static func buildBlock<each Content: ToolbarContent>(
    _ content: repeat each Content
  ) -> some ToolbarContent { ToolbarItem<(), EmptyView>() }
}

public struct ToolbarItemPlacement: Sendable {
  public static let automatic = ToolbarItemPlacement()
  public static let primaryAction = ToolbarItemPlacement()
  public static let confirmationAction = ToolbarItemPlacement()
  public static let cancellationAction = ToolbarItemPlacement()
}

public struct ToolbarItem<ID, Content: View>: ToolbarContent {
  nonisolated fileprivate init() {}

  public typealias Body = Never
}

extension ToolbarItem where ID == () {
  nonisolated public init(
    placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content
  ) {}
}

extension View {
  nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
    Modified()
  }

  @_disfavoredOverload nonisolated public func navigationTitle(
    _ title: some StringProtocol
  ) -> some View { Modified() }

  nonisolated public func navigationDestination(
    isPresented: Binding<Bool>, @ViewBuilder destination: () -> some View
  ) -> some View { Modified() }

  nonisolated public func toolbar(
    @ToolbarContentBuilder content: () -> some ToolbarContent
  ) -> some View { Modified() }

  nonisolated public func sheet<Item: Identifiable>(
    item: Binding<Item?>, onDismiss: (() -> Void)? = nil,
    @ViewBuilder content: @escaping (Item) -> some View
  ) -> some View { Modified() }
}
