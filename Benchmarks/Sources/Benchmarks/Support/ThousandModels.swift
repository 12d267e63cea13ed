import Evocation

/// A thousand model types: one for every number of three digits.
enum ThousandModels {
  private struct Model<Hundreds, Tens, Ones>: Sendable {}
  private protocol Digit: SendableMetatype {}
  private enum Zero: Digit {}
  private enum One: Digit {}
  private enum Two: Digit {}
  private enum Three: Digit {}
  private enum Four: Digit {}
  private enum Five: Digit {}
  private enum Six: Digit {}
  private enum Seven: Digit {}
  private enum Eight: Digit {}
  private enum Nine: Digit {}

  private static let digits: [any Digit.Type] = [
    Zero.self, One.self, Two.self, Three.self, Four.self, Five.self, Six.self, Seven.self,
    Eight.self, Nine.self,
  ]

  /// Registers all of them, and returns a call of `find` for each.
  static func register(in evocation: Evocation) -> [@Sendable () async -> Bool] {
    digits.flatMap { hundreds in
      digits.flatMap { tens in
        digits.map { ones in register(hundreds, tens, ones, in: evocation) }
      }
    }
  }

  private static func register<Hundreds: Digit, Tens: Digit, Ones: Digit>(
    _ hundreds: Hundreds.Type, _ tens: Tens.Type, _ ones: Ones.Type, in evocation: Evocation
  ) -> @Sendable () async -> Bool {
    typealias Number = Model<Hundreds, Tens, Ones>
    evocation.register(for: Number.self).strategy(.remoteOnly)
      .repository(remote: PromptRepository<Number>(held: [Number()]))
    return { await evocation.find(model: Number.self).data?.count == 1 }
  }
}
