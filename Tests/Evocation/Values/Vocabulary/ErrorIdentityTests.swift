import Evocation
import Testing

@testable import CoreSupport

/// Which errors are the same.
@Suite struct EvocationErrorIdentityTests {
  /// Errors that all differ in what counts.
  private static let errors: [EvocationError] = [
    .proxyNotFound(model: "Car"), .missingRepository(.remote, model: "Car"),
    .missingRepository(.local, model: "Car"), .noData, .alreadyExists(["1"]), .alreadyExists(["2"]),
    .unknownKey("a", model: "Car", nearest: []), .unknownKey("b", model: "Car", nearest: []),
    .incomparableValue(key: "a", reason: "x"), .incomparableValue(key: "b", reason: "x"),
    .nestedTooDeeply(most: 1), .unmappable(model: "Car", property: "a", reason: "x"),
    .unmappable(model: "Car", property: "b", reason: "x"),
    .unsearchable(model: "Car", reason: "x"),
    .timedOut(.remote, model: "Car", after: .seconds(1)),
    .timedOut(.local, model: "Car", after: .seconds(1)),
    .unanswered(.remote, model: "Car", method: "find"),
    .unanswered(.local, model: "Car", method: "find"),
    .unanswered(.remote, model: "Car", method: "store"), .nestedWrite(model: "Car"),
    .outboxUnavailable(model: "Car", action: .store),
    .outboxUnavailable(model: "Car", action: .update), .notObservable(model: "Car"),
    .notIdentifiable(model: "Car"),
  ]

  @Test func `errors are the same when they concern the same repository, action, key and ids`() {
    for (position, error) in Self.errors.enumerated() {
      for (other, another) in Self.errors.enumerated() {
        #expect((error == another) == (position == other), "\(error) \(another)")
      }
    }
  }

  @Test func `another model's error is the same, as is one without a payload`() {
    #expect(
      EvocationError.missingRepository(.local, model: "Car")
        == .missingRepository(.local, model: "Boat"))
    for type in Evocation.RepositoryType.allCases {
      #expect(EvocationError.missingRepository(type, model: "Car") == .missingRepository)
      #expect(.missingRepository == EvocationError.missingRepository(type, model: "Car"))
    }
    #expect(EvocationError.proxyNotFound(model: "Car") == .proxyNotFound)
    #expect(EvocationError.nestedWrite(model: "Car") == .nestedWrite)
    #expect(EvocationError.noData != .missingRepository)
    #expect(EvocationError.proxyNotFound != .nestedWrite)
  }
}
