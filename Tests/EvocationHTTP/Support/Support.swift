import Evocation
import EvocationHTTP
import Fixtures
import Foundation
import TransportSuite

#if os(macOS) || os(Linux)
  extension Service {
    /// A repository of the cars.
    func cars(_ change: (inout Setup) -> Void = { _ in }) -> HTTPRepository<Car> {
      var configuration = Setup()
      change(&configuration)
      return HTTPRepository(at: url, "cars", configuration)
    }

    /// The requests so far, as the lines that a reader compares: `GET /cars?limit=1`.
    func lines() async throws -> [String] {
      try await requests().map { request in
        let query = request.query.removingPercentEncoding ?? request.query
        return "\(request.method) \(request.path)" + (query.isEmpty ? "" : "?\(query)")
      }
    }
  }
#endif

/// A car that the data set does not have.
func car(_ id: Int, _ name: String = "new", horsepower: Int? = 1) -> Car {
  Car(
    id: id, name: name, cylinders: 4, displacement: 1, horsepower: horsepower, weight: 1,
    acceleration: 1, year: 1999, origin: "Europe"
  )
}

/// The error of a call, which must fail.
func failure<Value>(_ call: () async throws -> Value) async -> (any Error)? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error
  }
}

/// Keeps what closures saw, in order.
final class Record<Element: Sendable>: Sendable {
  private let lock = Lock<[Element]>([])

  var elements: [Element] { lock.withLock { $0 } }

  func append(_ element: Element) {
    lock.withLock { $0.append(element) }
  }
}
