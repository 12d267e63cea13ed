// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

@MainActor open class NSApplication {
  public enum ActivationPolicy: Int, @unchecked Sendable {
    case regular, accessory, prohibited
  }

  open class var shared: NSApplication { absent() }

  @discardableResult open func setActivationPolicy(_ policy: ActivationPolicy) -> Bool { false }

  open func activate() {}
}

func absent<Value>() -> Value { fatalError("A stand-in is compiled, and never runs.") }
