import Evocation
import Foundation
import Synchronization

/// The last tour: one call under another rule, the lines of the log, and signing out.
struct AccountTour {
  var narrator: Narrator

  private let thrifty =
    (Criteria.Key("origin") == "Japan" && Criteria.Key("year") >= 1980
    && Criteria.Key("milesPerGallon") > 38.0)
    .sorted(by: "milesPerGallon", descending: true)

  init(narrator: Narrator) {
    self.narrator = narrator
  }

  mutating func run() async throws {
    await oneCall()
    logged()
    try await signingOut()
  }

  private mutating func oneCall() async {
    narrator.title("14  One call under another rule")
    narrator.code("await Evocation.find(model: Car.self, criteria: thrifty, rule: .localOnly)")
    let result = await Evocation.find(model: Car.self, criteria: thrifty, rule: .localOnly)
    narrator.course(of: result)
    narrator.check(
      result.data?.count == 5 && result.fetchedAt != nil,
      "the file alone was asked, and the answer says when it was fetched")
    narrator.code("await Evocation.find(model: Car.self, rule: .init(synchronize: .outbox))")
    let misfit = await Evocation.find(model: Car.self, rule: .init(synchronize: .outbox))
    narrator.say(misfit.error.map { "\($0)" } ?? "no error")
    narrator.check(misfit.error is StrategyError, "a rule that does not fit is an answer, no crash")
  }

  private mutating func logged() {
    narrator.title("15  What the log has of all this")
    narrator.code("try Evocation.bootstrap(.init(log: log))   // at the start")
    Bootstrap.log.flush()
    let lines = Bootstrap.lines.withLock { $0 }
    for line in lines.prefix(8) + lines.suffix(2) { narrator.log(line) }
    narrator.check(
      !lines.contains { $0.contains("Japan") || $0.contains("saab") },
      "a line a call, and no value of a model in any")
  }

  private mutating func signingOut() async throws {
    narrator.title("16  Signing out")
    narrator.code("try await Evocation.signOut(.block)")
    try await Evocation.signOut(.block)
    let cars = await Evocation.count(model: Car.self, rule: .localOnly)
    narrator.say("cars in the file: \(cars.data ?? -1)")
    narrator.check(
      cars.data == 0 && cars.fetchedAt == nil,
      "the file, its ledger and its caches are empty")
  }
}
