/// The results of a find, as they change.
///
/// Observing begins with the first call of an iterator's `next`, and each iterator observes
/// separately. It ends when the iterating task is canceled. When another repository is registered, it
/// goes on with the new repository.
package struct ObservedResults<Model: Sendable>: ObservedSequence {
  package typealias Element = Evocation.Result<[Model]>
  package typealias Failure = Never

  /// Creates the observer when iteration begins.
  package let begin: @Sendable () throws(EvocationError) -> Observer<Model>
  /// Adds the fetch date to a result of the local repository.
  package let date: @Sendable (inout Evocation.Result<[Model]>) async -> Void
  package let call: Evocation.Trace
  /// Tells of registrations from then on.
  package let registrations: @Sendable () -> Broadcast<ObjectIdentifier>.Events?

  package init(
    begin: @escaping @Sendable () throws(EvocationError) -> Observer<Model>,
    date: @escaping @Sendable (inout Evocation.Result<[Model]>) async -> Void,
    call: Evocation.Trace,
    registrations: @escaping @Sendable () -> Broadcast<ObjectIdentifier>.Events?
  ) {
    self.begin = begin
    self.date = date
    self.call = call
    self.registrations = registrations
  }

  package func makeAsyncIterator() -> Iterator { Iterator(results: self) }

  package struct Iterator: ObservedIterator {
    private enum State {
      case new
      case observing(Observer<Model>)
      /// The model type is not registered now, or its repository cannot be observed.
      case waiting(Observer<Model>, Broadcast<ObjectIdentifier>.Events)
      case ended
    }

    private let results: ObservedResults
    @SharedByCopies private var state = State.new

    init(results: ObservedResults) {
      self.results = results
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      while true {
        switch state {
        case .new:
          do throws(EvocationError) {
            state = .observing(try results.begin())
          } catch {
            // Criteria that do not fit the model never will, and a missing registration also ends the
            // sequence, so this is its only result.
            state = .ended
            return Evocation.Result(error: error, trace: results.call)
          }
        case .observing(var observer):
          let observed = await observer.next()
          state = observed == nil ? .ended : .observing(observer)
          if observed == nil, observer.isReplaced {
            if let error = goOn(from: observer) { return error }
            continue
          }
          guard var result = observed?.result else { return nil }
          await results.date(&result)
          return result
        case .waiting(let former, let events):
          repeat {
            guard let model = await events.next() else {
              state = .ended
              return nil
            }
            if model == ObjectIdentifier(Model.self) { break }
          } while true
          if let error = goOn(from: former, after: events) { return error }
        case .ended: return nil
        }
      }
    }

    /// Observes the repository that is registered now; returns the error to show if there is none.
    private mutating func goOn(
      from former: Observer<Model>, after last: Broadcast<ObjectIdentifier>.Events? = nil
    ) -> Element? {
      // Before it is known that there is none, so that the next one is not missed.
      guard let events = last ?? results.registrations() else {
        state = .ended
        return nil
      }
      do throws(EvocationError) {
        var observer = try results.begin()
        if last == nil { observer.goOn(from: former) }
        state = .observing(observer)
        return nil
      } catch {
        state = .waiting(former, events)
        return last == nil ? Evocation.Result(error: error, trace: results.call) : nil
      }
    }
  }
}
