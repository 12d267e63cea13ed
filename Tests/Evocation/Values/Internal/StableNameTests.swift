import Evocation
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

private struct Car { struct Wheel {} }

private func local() -> Any.Type {
  struct Car {}
  return Car.self
}

/// Names of types that outlive a launch, such as those in a ledger's tags.
@Suite struct StableNameTests {
  @Test func `the name of a type that others see is the one that Swift prints`() {
    for type in [CoreSupport.Car.self, [Int: Date].self] as [Any.Type] {
      #expect(stableName(of: type) == String(reflecting: type))
    }
  }

  @Test func `the name of a type of Evocation's has the module that apps import`() {
    #expect(
      stableName(of: [Evocation.Trace.Step].self) == "Swift.Array<Evocation.Evocation.Trace.Step>")
    #expect(
      stableName(of: ProxyCacheDataSource<CoreSupport.Car>.self)
        == "Evocation.ProxyCacheDataSource<CoreSupport.Car>")
  }

  @Test func `the name of a private type has no address, which would be another at each launch`() {
    for type in [Car.self, Car.Wheel.self, [Car].self, local()] as [Any.Type] {
      #expect(String(reflecting: type).contains("$"))
      let name = stableName(of: type)
      #expect(!name.contains("$") && name.contains("+"), "\(name)")
      #expect(name == stableName(of: type))
    }
  }

  @Test func `two private types of one name stay apart`() {
    #expect(stableName(of: Car.self) != stableName(of: local()))
  }
}
