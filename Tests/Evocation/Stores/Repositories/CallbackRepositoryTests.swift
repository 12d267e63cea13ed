import Evocation
import EvocationTesting
import TestTraits
import Testing

@testable import CoreSupport

@Suite(.patient) struct CallbackRepositoryTests {
  private func evocation(
    _ configuration: Evocation.Configuration = .init(),
    rule: Strategy.Rule = .remoteOnly,
    _ body: @escaping @Sendable (String, @escaping CallbackScript.Answer) -> Void
  ) -> Evocation {
    let evocation = Evocation(configuration: configuration)
    evocation.register(for: Car.self).repository(remote: CallbackScript(body))
      .strategy(Strategy(rule))
    return evocation
  }

  @Test func `each of the nine calls arrives at the method of its name`() async {
    let methods = Lock<[String]>([])
    let evocation = evocation { method, answer in
      methods.withLock { $0.append(method) }
      answer(.init(data: [Car(id: 1)]))
    }
    for call in Evocation.Call.allCases {
      let result = await evocation.call(call, Car(id: 1))
      #expect(result.data == [Car(id: 1)])
      #expect(result.origin == .remote)
    }
    let expected = Evocation.Call.allCases.map { $0 == .removeOne ? "remove" : $0.rawValue }
    #expect(methods.withLock { $0 } == expected)
  }

  @Test func `criteria are nil when everything is asked for`() async {
    let method = Lock("")
    let evocation = evocation { name, answer in
      method.withLock { $0 = name }
      answer(.init(data: []))
    }
    _ = await evocation.find(model: Car.self)
    #expect(method.withLock { $0 } == "find all")
  }

  @Test func `an answer without data or error means that there was nothing`() async {
    let evocation = evocation { _, answer in answer(.init()) }
    #expect(await evocation.find(model: Car.self).data == [])
    let one = await evocation.findOne(model: Car.self)
    #expect(one.data == nil && one.error == nil && one.origin == .remote)
  }

  @Test func `an error and what the repository adds reach the caller`() async {
    let evocation = evocation { method, answer in
      answer(
        method == "store"
          ? .init(error: Outage(place: .remote)) : .init(data: [], values: ["etag": "x"])
      )
    }
    #expect(await evocation.store([Car(id: 1)]).error as? Outage == Outage(place: .remote))
    let found = await evocation.find(model: Car.self)
    #expect(found.metadata[.remote]?["etag"] as? String == "x")
  }

  @Test func `of two answers the first counts, and the second is told`() async {
    let told = Lock<[String]>([])
    let evocation = evocation(.init(onTrace: { trace in told.withLock { $0.append("\(trace)") } }))
    { _, answer in
      answer(.init(data: [Car(id: 1)]))
      answer(.init(data: [Car(id: 2)]))
    }
    let result = await evocation.find(model: Car.self)
    #expect(result.data == [Car(id: 1)])
    #expect(
      told.withLock { $0.first }
        == "find Car: remote failed: it answered a second time, and Evocation kept the first "
        + "answer."
    )
  }

  @Test func `a completion that is let go ends the call with a sentence`() async {
    let evocation = evocation { _, _ in }
    let result = await evocation.find(model: Car.self)
    #expect(
      result.error as? EvocationError == .unanswered(.remote, model: "Car", method: "find")
    )
    #expect(
      result.error.map { "\($0)" }
        == "The remote repository of Car released the completion of find without calling it; call "
        + "the completion exactly once on every path."
    )
  }

  @Test func `a call that is never answered ends when it is cancelled`() async {
    let kept = Lock<[CallbackScript.Answer]>([])
    let asked = Gate.Counter()
    let evocation = evocation { _, answer in
      kept.withLock { $0.append(answer) }
      asked.increase()
    }
    let call = Task { await evocation.find(model: Car.self) }
    await asked.reach(1)
    call.cancel()
    #expect(await call.value.error is CancellationError)
  }

  @Test func `a call that is never answered ends when its time is up, and falls back`() async {
    let kept = Lock<[CallbackScript.Answer]>([])
    let clock = ManualClock()
    let evocation = evocation(
      .init(clock: clock), rule: .init(fallback: .local, timeout: .seconds(5))
    ) { _, answer in
      kept.withLock { $0.append(answer) }
    }
    let call = Task { await evocation.find(model: Car.self) }
    await clock.sleeps(1)
    clock.advance(by: .seconds(5))
    let error = await call.value.error
    #expect(
      error as? EvocationError == .timedOut(.remote, model: "Car", after: .seconds(5))
    )
    #expect(
      error.map { "\($0)" }
        == "The remote repository of Car did not answer within 5.0 seconds; try again, or raise "
        + "the timeout of the rule."
    )
  }
}
