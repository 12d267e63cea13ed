// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public protocol DynamicProperty {}

@propertyWrapper public struct State<Value>: DynamicProperty {
  public init(wrappedValue value: Value) {}
  public init(initialValue value: Value) {}

  public var wrappedValue: Value {
    get { absent() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { absent() }
}

extension State: Sendable where Value: Sendable {}

@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(projectedValue: Binding<Value>) {}

  public var wrappedValue: Value {
    get { absent() }
    nonmutating set {}
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(
    dynamicMember keyPath: WritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { absent() }
}

extension Binding: @unchecked Sendable where Value: Sendable {}  // a stand-in has no state

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value> {
  public var wrappedValue: Value
  public var projectedValue: Bindable<Value> { self }

  fileprivate init(of value: Value) { wrappedValue = value }
}

extension Bindable where Value: AnyObject & Observable {
  public init(wrappedValue: Value) { self.init(of: wrappedValue) }
  public init(_ wrappedValue: Value) { self.init(of: wrappedValue) }

  public subscript<Subject>(
    dynamicMember keyPath: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> { absent() }
}

extension Bindable: DynamicProperty {}
extension Bindable: Sendable where Value: Sendable {}

@propertyWrapper public struct Environment<Value>: DynamicProperty {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}

  public var wrappedValue: Value { absent() }
}

extension Environment: Sendable where Value: Sendable {}

public struct EnvironmentValues {
  public var dismiss: DismissAction { absent() }
}

@MainActor @preconcurrency public struct DismissAction {
  public func callAsFunction() {}
}
