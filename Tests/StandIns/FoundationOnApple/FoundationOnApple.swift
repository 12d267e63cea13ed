// The SDK documents its names.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// On Apple platforms Foundation has the network's types too, and exports the system's functions.
@_exported import Darwin
@_exported import Foundation
@_exported import FoundationNetworking

extension ProcessInfo {
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {
    block(false)
  }
}

public func pthread_self() -> UnsafeMutableRawPointer { absent() }

func absent<Value>() -> Value { fatalError("A stand-in is compiled, and never runs.") }
