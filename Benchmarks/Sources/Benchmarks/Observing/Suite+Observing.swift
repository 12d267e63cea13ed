import Evocation
import EvocationSQLite
import Foundation
import Harness

extension Suite {
  /// What observers cost a write that does not concern them, and how soon the others answer.
  static var observing: Suite {
    let places: [(String, ScalingCases.Gathering)] = [
      ("memory", { await Crowd.inMemory($0, of: $1) }),
      ("SQLite", { try await Crowd.inFile($0, of: $1) }),
    ]
    let questions = [Crowd.Question.equality, .range, .sorted]
    let scaling = places.flatMap { place, gather in
      questions.flatMap {
        ScalingCases(name: "\(place), \($0.name)", question: $0, gather: gather).all
      }
    }
    return Suite("observing", scaling + ForeignCases().all + LargeCases().all)
  }
}

/// One observer, and ten thousand of whom the write concerns one.
private struct ScalingCases {
  typealias Gathering = @Sendable (Int, Crowd.Question) async throws -> Crowd

  let name: String
  let question: Crowd.Question
  let gather: Gathering

  var all: [Case] {
    let counts = [("1 observer", 1), ("10,000 observers", 10_000)]
    let crowds = counts.map { label, count in
      (label, Once { [question, gather] in try await gather(count, question) })
    }
    return crowds.enumerated().flatMap { index, crowd in
      let first = counts[0].0
      func names(_ what: String) -> (String, String?) {
        ("\(name): \(what), \(crowd.0)", index == 0 ? nil : "\(name): \(what), \(first)")
      }
      let bar: Bar? = index == 0 ? nil : .times(2)
      let (write, answer, cpu) = (names("updateOne"), names("until answered"), names("processor"))
      return [
        Case(write.0, .nanoseconds, against: write.1, bar: bar) {
          try await Self.write(crowd.1.value, question).time
        },
        Case(answer.0, .nanoseconds, against: answer.1, bar: bar) {
          let crowd = try await crowd.1.value
          let time = try await ContinuousClock().measure {
            for number in 1...500 {
              _ = await crowd.evocation.updateOne(question.car(number))
              try await crowd.answer()
            }
          }
          return time / .nanoseconds(500)
        },
        Case(cpu.0, .nanoseconds, against: cpu.1, bar: bar) {
          try await Self.write(crowd.1.value, question).processor
        },
      ]
    }
  }

  /// The time and processor time that a write takes, when several are made at once.
  ///
  /// A hundred answers fit between a write and a reader who is slow, so that each write has one.
  private static func write(
    _ crowd: Crowd, _ question: Crowd.Question
  ) async throws -> (time: Double, processor: Double) {
    var time = Duration.zero
    let before = ProcessorTime.nanoseconds
    for _ in 0..<5 {
      time += try await ContinuousClock().measure {
        for number in 1...100 {
          try await expect(crowd.evocation.updateOne(question.car(number)).data != nil)
        }
      }
      for _ in 1...100 { try await crowd.answer() }
    }
    return (time / .nanoseconds(500), (ProcessorTime.nanoseconds - before) / 500)
  }
}
