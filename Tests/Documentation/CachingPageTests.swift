import Evocation
import EvocationTesting
import Foundation
import TestTraits
import Testing

struct Profile: Sendable, Equatable {
  var name: String
}

/// A file of one profile, as far as the page needs one.
final class ProfileFile: Sendable {
  private let profile = Lock<Profile?>(nil)

  func write(_ profile: Profile) async throws { self.profile.withLock { $0 = profile } }

  func values() -> AsyncThrowingStream<Profile, any Error> {
    let profile = profile.withLock { $0 }
    return AsyncThrowingStream { continuation in
      if let profile { continuation.yield(profile) }
      continuation.finish()
    }
  }
}

struct ProfileService: Sendable {
  func profile() async throws -> Profile { Profile(name: "Ada") }
}

struct ProfileSource: CacheDataSource {
  let file: ProfileFile
  let service: ProfileService
  let maxAge: Duration? = .seconds(3600)

  func fetchFreshCache(_ requirements: CacheTag) async throws -> Profile {
    try await service.profile()
  }

  func saveCache(_ profile: Profile, requirements: CacheTag) async throws {
    try await file.write(profile)
  }

  func observeCache(_ requirements: CacheTag) -> AsyncThrowingStream<Profile, any Error> {
    file.values()
  }
}

/// The samples of the page on caching, as they stand there.
@Suite(.serialized, .patient) struct CachingPageTests {
  /// A model of its own, because `shared` has one proxy for each type and suites run side by side.
  struct Car: Codable, Identifiable, Hashable, Sendable {
    let id: Int
    var name: String
    var origin: String
    var year: Int
  }

  private let cars = (1...3).map { Car(id: $0, name: "datsun", origin: "Japan", year: 1980) }

  private func register(_ evocation: Evocation) {
    evocation.register(for: Car.self)
      .repository(remote: InMemoryRepository(cars))
      .repository(local: InMemoryRepository<Car>())
  }

  @Test(arguments: [true, false])
  func `caches of two registries fetch once where they have one ledger, and else each`(
    _ hasOneLedger: Bool
  ) async throws {
    let remote = RepositoryMock<Car> { _ in [Car(id: 1, name: "a", origin: "", year: 1980)] }
    let (local, ledger) = (InMemoryRepository<Car>(), InMemoryFetchLedger())
    for _ in 0..<2 {
      let evocation = Evocation(
        configuration: .init(ledger: hasOneLedger ? ledger : InMemoryFetchLedger()))
      evocation.register(for: Car.self).repository(remote: remote).repository(local: local)
      let cars = evocation.cache(Car.self, maxAge: .seconds(60))
      cars.requirements = ["year": 1980]
      try await cars.refresh()
    }
    #expect(remote.calls.count == (hasOneLedger ? 1 : 2))
  }

  @Test func `a registered model is a cache with no further code`() async throws {
    register(.shared)
    let cars = Evocation.shared.cache(Car.self, where: \.year == 1980, maxAge: .hours(5))
    let observation = cars.observe { state in
      switch state.phase {
      case .never: print("never fetched")
      case .empty: print("there are none")
      case .content(let cars, let fetchedAt): print(cars.count, "cars of", fetchedAt)
      }
      if state.isRefreshing { print("being fetched") }
      if let error = state.refreshError { print("the last fetch failed:", error) }
    }
    switch try await cars.refresh(force: true) {
    case .successful: print("fetched and saved")
    case .failed(let error): print("as it was, because", error)
    case .skipped(let reason): print("nothing to do:", reason)
    }
    let cached = try await cars.value(from: .cache)
    let fetched = try await cars.value(from: .origin)
    let either = await cars.valueIfAvailable()
    #expect(cached == self.cars)
    #expect(fetched == self.cars)
    #expect(either == self.cars)
    observation.cancel()
  }

  @Test func `another ledger, invalidation and limits are one line each`() async throws {
    let evocation = Evocation(configuration: .init(ledger: UserDefaultsFetchLedger()))
    try await evocation.environmentLedger.clear()
    register(evocation)
    let recent = evocation.cache(
      Car.self, where: ["year": 1980], maxAge: .hours(1),
      options: .init(limits: CacheLimits(age: .days(30), count: 100, size: 50_000_000)))
    #expect(try await recent.refresh() == .successful)
    #expect(try await recent.refresh() == .skipped(.cacheNotTooOld))
    try await evocation.invalidate(Car.self)
    try await evocation.invalidate(Car.self, criteria: ["year": 1980])
    #expect(try await recent.refresh() == .successful)
    try await evocation.environmentLedger.clear()
  }

  @Test func `a profile in a file is a cache too`() async throws {
    let (file, service) = (ProfileFile(), ProfileService())
    let profile = CacheRepository(ProfileSource(file: file, service: service))
    profile.requirements = "profile"
    #expect(try await profile.value() == Profile(name: "Ada"))
    try await profile.update(Profile(name: "Grace"))
    #expect(try await profile.value() == Profile(name: "Grace"))
    try await profile.clear()
  }

  @MainActor @Test func `a view observes an object`() async throws {
    let evocation = Evocation()
    register(evocation)
    let cars = evocation.cache(Car.self)
    cars.requirements = Criteria()
    try await cars.refresh()
    let observed = ObservedCache(cars)
    print(observed.cache ?? [], observed.loadingState)
    #expect(observed.loadingState == .loading(content: nil))
  }
}

extension Evocation {
  /// The ledger that the sample's configuration was given, to be emptied around it.
  fileprivate var environmentLedger: any FetchLedger { UserDefaultsFetchLedger() }
}
