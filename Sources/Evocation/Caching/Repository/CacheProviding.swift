/// What an app asks of a cache: a ``CacheRepository``, or the mock that takes its place in tests.
///
/// Whatever shows or changes cached data takes this, so that a test can hand it a mock:
///
/// ```swift
/// struct CarList {
///   let cars: any CacheProviding<ProxyCacheDataSource<Car>>
///
///   func show(carsOf year: Int) async throws -> [Car] {
///     cars.requirements = ["year": year]
///     return try await cars.value()
///   }
/// }
/// ```
///
/// The members are those of ``CacheAccess``, and mean what they mean in ``CacheRepository``.
public protocol CacheProviding<Source>: CacheAccess where Shown == Source.Cache {}

extension CacheRepository: CacheProviding {}
