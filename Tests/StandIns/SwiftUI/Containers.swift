// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct HorizontalAlignment: Equatable, Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
}

public struct VerticalAlignment: Equatable, Sendable {
  public static let center = VerticalAlignment()
}

public struct Alignment: Equatable, Sendable {
  public static let leading = Alignment()
  public static let center = Alignment()
}

public struct HStack<Content: View>: View {
  nonisolated public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}

  public typealias Body = Never
}

public struct VStack<Content: View>: View {
  nonisolated public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) {}

  public typealias Body = Never
}

public struct Spacer: View {
  nonisolated public init(minLength: CGFloat? = nil) {}

  public typealias Body = Never
}

public struct ScrollView<Content: View>: View {
  nonisolated public init(@ViewBuilder content: () -> Content) {}

  public typealias Body = Never
}

public struct Form<Content: View>: View {
  nonisolated public init(@ViewBuilder content: () -> Content) {}

  public typealias Body = Never
}

public struct List<SelectionValue: Hashable, Content: View>: View {
  public typealias Body = Never
}

extension List where SelectionValue == Never {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct Section<Parent, Content, Footer> {}

extension Section: View where Parent: View, Content: View, Footer: View {
  public typealias Body = Never
}

extension Section where Parent == Text, Content: View, Footer == EmptyView {
  nonisolated public init(
    _ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content
  ) {}

  @_disfavoredOverload nonisolated public init(
    _ title: some StringProtocol, @ViewBuilder content: () -> Content
  ) {}
}

extension Section where Parent == EmptyView, Content: View, Footer == EmptyView {
  nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

extension ForEach: View where Content: View {
  public typealias Body = Never
}

@MainActor @preconcurrency public protocol DynamicViewContent: View {}

extension ForEach: DynamicViewContent where Content: View {}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
  nonisolated public init(
    _ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

extension ForEach where Content: View {
  nonisolated public init(
    _ data: Data, id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {}
}

extension DynamicViewContent {
  nonisolated public func onDelete(
    perform action: ((IndexSet) -> Void)?
  ) -> some DynamicViewContent { ModifiedRows() }
}

private struct ModifiedRows: DynamicViewContent {
  nonisolated init() {}

  typealias Body = Never
}
