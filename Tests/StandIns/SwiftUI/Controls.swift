// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct ButtonRole: Equatable, Sendable {
  public static let destructive = ButtonRole()
  public static let cancel = ButtonRole()
}

public struct Button<Label: View>: View {
  public typealias Body = Never
}

extension Button where Label == Text {
  @preconcurrency nonisolated public init(
    _ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void
  ) {}

  @_disfavoredOverload @preconcurrency nonisolated public init(
    _ title: some StringProtocol, action: @escaping @MainActor () -> Void
  ) {}

  @preconcurrency nonisolated public init(
    _ titleKey: LocalizedStringKey, role: ButtonRole?, action: @escaping @MainActor () -> Void
  ) {}
}

extension Button where Label == SwiftUI.Label<Text, Image> {
  @preconcurrency nonisolated public init(
    _ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void
  ) {}
}

public struct TextField<Label: View>: View {
  public typealias Body = Never
}

extension TextField where Label == Text {
  nonisolated public init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
}

public struct TextEditor: View {
  nonisolated public init(text: Binding<String>) {}

  public typealias Body = Never
}

public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
  public typealias Body = Never
}

extension ProgressView where CurrentValueLabel == EmptyView {
  nonisolated public init() where Label == EmptyView {}
  nonisolated public init(_ titleKey: LocalizedStringKey) where Label == Text {}
}

public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
  public typealias Body = Never
}

extension ContentUnavailableView
where Label == SwiftUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
  nonisolated public init(
    _ title: LocalizedStringKey, systemImage name: String, description: Text? = nil
  ) {}
}

public struct SearchUnavailableContent {
  public struct Label: View {
    public typealias Body = Never
  }

  public struct Description: View {
    public typealias Body = Never
  }

  public struct Actions: View {
    public typealias Body = Never
  }
}

extension ContentUnavailableView
where
  Label == SearchUnavailableContent.Label, Description == SearchUnavailableContent.Description,
  Actions == SearchUnavailableContent.Actions
{
  nonisolated public static func search(text: String) -> Self { absent() }
}
