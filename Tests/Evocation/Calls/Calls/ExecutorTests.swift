import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

@testable import CoreSupport

#if compiler(>=6.3)
  /// Calls run on the executor that their caller prefers, also those with a limit of time.
  @Suite(.patient) struct ExecutorTests {
    /// An executor with a thread of its own.
    private final class OwnThread: TaskExecutor {
      private let queue = DispatchQueue(label: "own")
      private let key = DispatchSpecificKey<Bool>()

      init() { queue.setSpecific(key: key, value: true) }

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
      }

      var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
    }

    private static let rules: [Strategy.Rule] = [
      .init(synchronize: .off), .init(synchronize: .off, timeout: .seconds(10)),
      .init(synchronize: .off, timeout: .seconds(10), retry: .init(attempts: 2)),
    ]

    @Test(arguments: rules)
    func `A read and a write run where their caller prefers`(_ rule: Strategy.Rule) async {
      let (executor, seen) = (OwnThread(), Lock<[Bool]>([]))
      let evocation = Evocation()
      evocation.register(for: Car.self).strategy(Strategy(rule)).repository(
        remote: RepositoryMock<Car> { _ in
          seen.withLock { $0.append(executor.isCurrent) }
          let isRetried = rule.retry != nil && seen.withLock { $0.count % 2 == 1 }
          if isRetried { throw URLError(.timedOut) }
          return [Car(id: 1)]
        })
      await Task(executorPreference: executor) {
        _ = await evocation.find(model: Car.self)
        _ = await evocation.storeOne(Car(id: 2))
        _ = await evocation.count(model: Car.self)
      }.value
      #expect(seen.withLock { $0.count } == (rule.retry == nil ? 3 : 6))
      #expect(seen.withLock { $0.allSatisfy { $0 } })
    }

    @Test func `Who prefers none runs on the shared threads`() async {
      let (executor, seen) = (OwnThread(), Lock<[Bool]>([]))
      let evocation = Evocation()
      evocation.register(for: Car.self).strategy(Strategy(Self.rules[1])).repository(
        remote: RepositoryMock<Car> { _ in
          seen.withLock { $0.append(executor.isCurrent) }
          return [Car(id: 1)]
        })
      _ = await evocation.find(model: Car.self)
      #expect(seen.withLock { $0 } == [false])
    }
  }
#endif
