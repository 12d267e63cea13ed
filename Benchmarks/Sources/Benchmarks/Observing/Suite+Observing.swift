import Evocation
import EvocationSQLite
import Foundation
import Harness

extension Suite {
  /// The cost of observers for a write that does not concern them, and how soon the others answer.
  static var observing: Suite {
    let places: [(String, ScalingCases.Gathering)] = [
      ("memory", { await Crowd.inMemory($0, of: $1) }),
      ("SQLite", { try await Crowd.inFile($0, of: $1) }),
    ]
    // Observers by ranges are matched one after another, so no bar holds for 10,000 of them.
    let questions = [Crowd.Question.equality, .sorted]
    let scaling = places.flatMap { place, gather in
      questions.flatMap {
        ScalingCases(name: "\(place), \($0.name)", question: $0, gather: gather).all
      }
    }
    return Suite("observing", scaling + ForeignCases().all + LargeCases().all)
  }
}

/// One observer, and ten thousand of which the write concerns one.
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
      let store = names("storeOne")
      return [
        Case(write.0, .nanoseconds, against: write.1, bar: bar) {
          try await Self.write(crowd.1.value, question).time
        },
        Case(store.0, .nanoseconds, against: store.1, bar: bar) {
          try await Self.store(crowd.1.value, question)
        },
        Case(answer.0, .nanoseconds, against: answer.1, bar: bar) {
          try await Self.answer(crowd.1.value, question)
        },
        Case(cpu.0, .nanoseconds, against: cpu.1, bar: bar) {
          try await Self.write(crowd.1.value, question).processor
        },
      ]
    }
  }

  /// Measures the time from the beginning of a write until the observer has its result.
  private static func answer(_ crowd: Crowd, _ question: Crowd.Question) async throws -> Double {
    // The first write of this sample must differ from the last write of the sample before.
    _ = await crowd.evocation.updateOne(question.car(0))
    return try await crowd.limited {
      try await ContinuousClock().measure {
        for number in 1...500 {
          let car = question.car(number)
          _ = await crowd.evocation.updateOne(car)
          try await crowd.answer { $0.contains(car) }
        }
      } / .nanoseconds(500)
    }
  }

  /// Measures the time and processor time of a write, when several are made one after another.
  private static func write(
    _ crowd: Crowd, _ question: Crowd.Question
  ) async throws -> (time: Double, processor: Double) {
    var time = Duration.zero
    let before = ProcessorTime.nanoseconds
    try await crowd.limited {
      for _ in 0..<5 {
        time += try await ContinuousClock().measure {
          for number in 1...100 {
            try await expect(crowd.evocation.updateOne(question.car(number)).data != nil)
          }
        }
        try await crowd.answer { $0.contains(question.car(100)) }
      }
    }
    return (time / .nanoseconds(500), (ProcessorTime.nanoseconds - before) / 500)
  }

  /// Measures the time of storing a new model, when several are stored one after another.
  private static func store(_ crowd: Crowd, _ question: Crowd.Question) async throws -> Double {
    let cars = (1...100).map { number in
      var car = question.car(0)
      car.id = 1 + number
      return car
    }
    var time = Duration.zero
    try await crowd.limited {
      for _ in 0..<5 {
        time += try await ContinuousClock().measure {
          for car in cars { try await expect(crowd.evocation.storeOne(car).data != nil) }
        }
        try await crowd.answer { $0.count == 101 }
        try await expect(crowd.evocation.remove(cars).data?.count == 100)
        try await crowd.answer { $0.count == 1 }
      }
    }
    return time / .nanoseconds(500)
  }
}
