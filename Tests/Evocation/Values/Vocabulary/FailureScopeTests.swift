import Evocation
import EvocationTesting
import Testing

/// Of what an error says something: of the write, or of the service alone.
@Suite struct FailureScopeTests {
  private struct Failed: ClassifiedError { var failureKind: FailureKind }

  private struct Forbidden: ClassifiedError {
    var failureKind: FailureKind { .authorization }
    var failureScope: FailureScope { .write }
  }

  private struct HalfWay: PartialError {
    var done: [String] { ["1"] }
    var failed: [String] { ["2"] }
    var unsent: [String] { [] }
    var underlying: any Error
    var failureKind: FailureKind { FailureKind(underlying) }
  }

  private struct Plain: Error {}

  @Test(
    arguments: zip(
      FailureKind.allCases, [.service, .service, .write, .write] as [FailureScope]))
  func `an error that does not say it follows its kind`(kind: FailureKind, scope: FailureScope) {
    #expect(Failed(failureKind: kind).failureScope == scope)
    #expect(FailureScope(Failed(failureKind: kind)) == scope)
    #expect(FailureScope(HalfWay(underlying: Failed(failureKind: kind))) == scope)
  }

  @Test func `an error that says it is believed, also within a write that came half-way`() {
    #expect(FailureScope(Forbidden()) == .write)
    #expect(FailureScope(HalfWay(underlying: Forbidden())) == .write)
  }

  @Test func `errors of others follow the kind that they count as`() {
    let unencodable = EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: ""))
    #expect(FailureScope(unencodable) == .write)
    #expect(FailureScope(Plain()) == .service)
    #expect(FailureScope(CancellationError()) == .service)
    #expect(FailureScope(EvocationError.alreadyExists(["1"])) == .write)
    #expect(FailureScope(EvocationError.offline(model: "Car")) == .service)
  }
}
