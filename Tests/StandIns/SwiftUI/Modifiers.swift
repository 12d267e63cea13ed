// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle, Hashable {}

public struct HierarchicalShapeStyle: ShapeStyle {}

extension ShapeStyle where Self == Color {
  public static var red: Color { Color() }
}

extension ShapeStyle where Self == HierarchicalShapeStyle {
  public static var secondary: HierarchicalShapeStyle { HierarchicalShapeStyle() }
}

public enum Edge: Sendable {
  case top, leading, bottom, trailing

  public struct Set: OptionSet, Sendable {
    public let rawValue: Int8

    public init(rawValue: Int8) { self.rawValue = rawValue }

    public static let all = Set(rawValue: 15)
  }
}

public struct SearchFieldPlacement: Sendable {
  public static let automatic = SearchFieldPlacement()
}

public struct AccessibilityChildBehavior: Hashable, Sendable {
  public static let ignore = AccessibilityChildBehavior()
  public static let combine = AccessibilityChildBehavior()
}

extension View {
  nonisolated public func font(_ font: Font?) -> some View { Modified() }
  nonisolated public func foregroundStyle(_ style: some ShapeStyle) -> some View { Modified() }
  nonisolated public func lineLimit(_ number: Int?) -> some View { Modified() }
  nonisolated public func disabled(_ disabled: Bool) -> some View { Modified() }

  nonisolated public func padding(
    _ edges: Edge.Set = .all, _ length: CGFloat? = nil
  ) -> some View { Modified() }

  nonisolated public func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil,
    minHeight: CGFloat? = nil, idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil,
    alignment: Alignment = .center
  ) -> some View { Modified() }

  nonisolated public func overlay(
    alignment: Alignment = .center, @ViewBuilder content: () -> some View
  ) -> some View { Modified() }

  nonisolated public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic,
    prompt: LocalizedStringKey
  ) -> some View { Modified() }

  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    Modified()
  }

  nonisolated public func refreshable(
    action: @escaping @Sendable () async -> Void
  ) -> some View { Modified() }

  nonisolated public func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { Modified() }

  nonisolated public func accessibilityElement(
    children: AccessibilityChildBehavior = .ignore
  ) -> some View { Modified() }

  nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View {
    Modified()
  }

  @_disfavoredOverload nonisolated public func accessibilityLabel(
    _ label: some StringProtocol
  ) -> some View { Modified() }

  nonisolated public func previewDisplayName(_ value: String?) -> some View { Modified() }
}
