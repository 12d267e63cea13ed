/// The results of a find, as they change.
///
/// Observing begins with the first call of an iterator's `next`, and each iterator observes
/// separately. It ends when the iterating task is canceled.
package struct ObservedResults<Model: Sendable>: ObservedSequence {
  package typealias Element = Evocation.Result<[Model]>
  package typealias Failure = Never

  /// Creates the observer when iteration begins.
  package let begin: @Sendable () throws(EvocationError) -> Observer<Model>
  /// Adds the fetch date to a result of the local repository.
  package let date: @Sendable (inout Evocation.Result<[Model]>) async -> Void
  package let call: Evocation.Trace

  package init(
    begin: @escaping @Sendable () throws(EvocationError) -> Observer<Model>,
    date: @escaping @Sendable (inout Evocation.Result<[Model]>) async -> Void,
    call: Evocation.Trace
  ) {
    self.begin = begin
    self.date = date
    self.call = call
  }

  package func makeAsyncIterator() -> Iterator {
    Iterator(begin: begin, date: date, call: call)
  }

  package struct Iterator: ObservedIterator {
    private enum State {
      case new
      case observing(Observer<Model>)
      case ended
    }

    private let begin: @Sendable () throws(EvocationError) -> Observer<Model>
    private let date: @Sendable (inout Evocation.Result<[Model]>) async -> Void
    private let call: Evocation.Trace
    @SharedByCopies private var state = State.new

    init(
      begin: @escaping @Sendable () throws(EvocationError) -> Observer<Model>,
      date: @escaping @Sendable (inout Evocation.Result<[Model]>) async -> Void,
      call: Evocation.Trace
    ) {
      self.begin = begin
      self.date = date
      self.call = call
    }

    package mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      if case .new = state {
        do throws(EvocationError) {
          state = .observing(try begin())
        } catch {
          // Criteria that do not fit the model never will, and a missing registration also ends the
          // sequence, so this is its only result.
          state = .ended
          return Evocation.Result(error: error, trace: call)
        }
      }
      guard case .observing(var observer) = state else { return nil }
      let observed = await observer.next()
      state = observed == nil ? .ended : .observing(observer)
      guard var result = observed?.result else { return nil }
      await date(&result)
      return result
    }
  }
}
