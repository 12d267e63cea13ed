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
  func call(_ call: Call, _ car: Car, rule: Strategy.Rule? = nil) async -> Result<[Car]> {
    let id: Criteria = ["id": car.id]
    return switch call {
    case .find: await find(model: Car.self, criteria: id, rule: rule)
    case .findOne: await findOne(model: Car.self, criteria: id, rule: rule).asArray
    case .store: await store([car], rule: rule)
    case .storeOne: await storeOne(car, rule: rule).asArray
    case .update: await update([car], rule: rule)
    case .updateOne: await updateOne(car, rule: rule).asArray
    case .storeOrUpdate: await storeOrUpdate([car], rule: rule)
    case .remove: await remove([car], rule: rule)
    case .removeOne: await removeOne(car, rule: rule).asArray
    }
  }

  /// The same by their callbacks.
  func callback(_ call: Call, _ car: Car, rule: Strategy.Rule? = nil) async -> Result<[Car]> {
    let id: Criteria = ["id": car.id]
    return await withCheckedContinuation { continuation in
      let all: @Sendable (Result<[Car]>) -> Void = { continuation.resume(returning: $0) }
      let one: @Sendable (Result<Car>) -> Void = { continuation.resume(returning: $0.asArray) }
      switch call {
      case .find: find(model: Car.self, criteria: id, rule: rule, callback: all)
      case .findOne: findOne(model: Car.self, criteria: id, rule: rule, callback: one)
      case .store: store([car], rule: rule, callback: all)
      case .storeOne: storeOne(car, rule: rule, callback: one)
      case .update: update([car], rule: rule, callback: all)
      case .updateOne: updateOne(car, rule: rule, callback: one)
      case .storeOrUpdate: storeOrUpdate([car], rule: rule, callback: all)
      case .remove: remove([car], rule: rule, callback: all)
      case .removeOne: removeOne(car, rule: rule, callback: one)
      }
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
