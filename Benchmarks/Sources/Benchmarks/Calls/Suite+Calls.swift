import Dispatch
import Evocation
import Harness

extension Suite {
  /// The cost of a call through the registry, above the same call to the repository itself.
  static var calls: Suite { Suite("calls", CallCases().all) }
}

/// The cases of the suite "calls".
private struct CallCases {
  private let count = 2_000
  private let direct = "repository.find, direct"
  private let background = "find, async"
  private let storeOne = "storeOne, async"
  private let followedFind = "find, async, and local is synced"
  private let followedStore = "store, async, and local is synced"
  private let garage = Garage()
  private let following = Garage(Strategy(Strategy.Rule(target: .remote)))

  var all: [Case] {
    [reference, find, findFromMainActor, findAmongThousand, findOverThousand]
      + callbacks + others + othersFromMainActor
  }

  private var reference: Case {
    Case(direct, count: count) { [garage] count in
      for _ in 0..<count { try await expect(garage.direct.find(Criteria()).value.count == 1) }
    }
  }

  private var find: Case {
    Case(background, count: count, against: direct, bar: .above(400)) { [garage] count in
      for _ in 0..<count { try await expect(garage.find()) }
    }
  }

  private var findFromMainActor: Case {
    // Measured there, so that switching to the main actor and back does not count.
    Case("find, async, from the main actor", .nanoseconds, against: background, bar: .above(300)) {
      @MainActor [garage, count] in
      let time = try await ContinuousClock().measure {
        for _ in 0..<count { try await expect(garage.find()) }
      }
      return time / .nanoseconds(1) / Double(count)
    }
  }

  private var findAmongThousand: Case {
    let garage = Garage()
    _ = ThousandModels.register(in: garage.evocation)
    return Case(
      "find, async, 1,000 models registered", count: count, against: background, bar: .times(1.05)
    ) { count in
      for _ in 0..<count { try await expect(garage.find()) }
    }
  }

  private var findOverThousand: Case {
    let calls = ThousandModels.register(in: garage.evocation)
    return Case("find, async, over 1,000 models in turn", count: count, against: background) {
      count in
      for index in 0..<count { try await expect(calls[index % calls.count]()) }
    }
  }

  private var callbacks: [Case] {
    let queue = Garage(callbackQueue: DispatchQueue(label: "Benchmarks.callbacks"))
    return [
      Case("find, callback, 1,000 at a time", count: count, against: direct, bar: .above(1_500)) {
        [garage] count in
        for _ in 0..<(count / 1_000) { await garage.findByCallback(1_000) }
      },
      Case("find, callback on a queue, 1,000 at a time", count: count, against: direct) { count in
        for _ in 0..<(count / 1_000) { await queue.findByCallback(1_000) }
      },
      Case("find, callback, one at a time", count: count / 10, against: direct) {
        [garage] count in
        for _ in 0..<count { await garage.findByCallback(1) }
      },
    ]
  }

  private var others: [Case] {
    let car = Car(id: 1)
    return [
      Case("findOne, async", count: count, against: direct) { [garage] count in
        for _ in 0..<count {
          try await expect(garage.evocation.findOne(model: Car.self).data != nil)
        }
      },
      Case(storeOne, count: count, against: direct) { [garage] count in
        for _ in 0..<count { try await expect(garage.evocation.storeOne(car).data != nil) }
      },
      Case(followedFind, count: count, against: direct) { [following] count in
        for _ in 0..<count { try await expect(following.find()) }
      },
      Case(followedStore, count: count, against: direct) { [following] count in
        for _ in 0..<count { try await expect(following.store(car)) }
      },
    ]
  }

  /// The code around a write, and around the saving of a read's result, must not leave the main actor.
  private var othersFromMainActor: [Case] {
    let car = Car(id: 1)
    return [
      fromMainActor(storeOne) { [garage] in
        await garage.evocation.storeOne(car).data != nil
      },
      fromMainActor(followedFind) { [following] in await following.find() },
      fromMainActor(followedStore) { [following] in await following.store(car) },
    ]
  }

  private func fromMainActor(
    _ name: String, _ call: @escaping @MainActor @Sendable () async -> Bool
  ) -> Case {
    Case("\(name), from the main actor", .nanoseconds, against: name, bar: .times(1.2)) {
      @MainActor [count] in
      let time = try await ContinuousClock().measure {
        for _ in 0..<count { try await expect(call()) }
      }
      return time / .nanoseconds(1) / Double(count)
    }
  }
}

extension Garage {
  fileprivate func find() async -> Bool {
    await evocation.find(model: Car.self).data?.count == 1
  }

  fileprivate func store(_ car: Car) async -> Bool {
    await evocation.store([car]).metadata[.local] != nil
  }

  fileprivate func findByCallback(_ count: Int) async {
    await Countdown.run(count) { countdown in
      for _ in 0..<count {
        evocation.find(model: Car.self) { result in
          if result.data?.count == 1 { countdown.tick() }
        }
      }
    }
  }
}
