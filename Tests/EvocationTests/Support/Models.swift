import Evocation

struct Car: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var model = "Beetle"
  var year = 1970
}

/// An error that says who failed.
struct Outage: Error, Equatable {
  let place: Evocation.RepositoryType
}

/// An error that says who refused, and that trying again does not help.
struct Refusal: ClassifiedError, Equatable {
  let place: Evocation.RepositoryType
  var failureKind = FailureKind.permanent
}

extension Evocation {
  /// The nine calls as one function, so that a test can go through all of them.
  func call(_ call: Call, _ car: Car) async -> Result<[Car]> {
    switch call {
    case .find: await find(model: Car.self, criteria: ["id": car.id])
    case .findOne: await findOne(model: Car.self, criteria: ["id": car.id]).asArray
    case .store: await store([car])
    case .storeOne: await storeOne(car).asArray
    case .update: await update([car])
    case .updateOne: await updateOne(car).asArray
    case .storeOrUpdate: await storeOrUpdate([car])
    case .remove: await remove([car])
    case .removeOne: await removeOne(car).asArray
    }
  }

  enum Call: String, CaseIterable {
    case find, findOne, store, storeOne, update, updateOne, storeOrUpdate, remove, removeOne

    var action: Strategy.Action { Strategy.Action(rawValue: rawValue) ?? .store }
  }
}

extension Evocation.Result where Value == Car {
  /// The one model as an array, with `[]` for a success without one.
  var asArray: Evocation.Result<[Car]> {
    Evocation.Result<[Car]>(
      data: data.map { [$0] } ?? (origin == nil ? nil : []),
      origin: origin,
      error: error,
      synchronizationError: synchronizationError,
      metadata: metadata,
      trace: trace
    )
  }
}
