#if canImport(Darwin)
  public import Synchronization
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A value that only one thread at a time can access.
///
/// On Linux it uses `pthread_mutex_t`. ThreadSanitizer does not see the futex of
/// `Synchronization.Mutex` there, and would report every use of that mutex as a race. The lock is
/// not recursive.
///
/// All of it can be inlined where it is used, in other targets too: not specialized, taking a lock
/// costs twice as much (`find, async`). For that, the type has to be `@usableFromInline` as well.
@usableFromInline package final class Lock<State>: @unchecked Sendable {  // the lock guards `state`
  #if canImport(Darwin)
    @usableFromInline package let mutex = Mutex(())
  #else
    @usableFromInline package let mutex: UnsafeMutablePointer<pthread_mutex_t>
  #endif
  @usableFromInline package let state: UnsafeMutablePointer<State>

  @inlinable
  package init(_ initial: sending State) {
    state = .allocate(capacity: 1)
    state.initialize(to: initial)
    #if !canImport(Darwin)
      mutex = .allocate(capacity: 1)
      mutex.initialize(to: pthread_mutex_t())
      pthread_mutex_init(mutex, nil)
    #endif
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    #if !canImport(Darwin)
      pthread_mutex_destroy(mutex)
      mutex.deinitialize(count: 1)
      mutex.deallocate()
    #endif
  }

  /// Runs `body` with the state while no other thread can; `body` must not take the lock again.
  @inlinable @inline(__always)
  package func withLock<Value, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    #if canImport(Darwin)
      return try mutex.withLock { (_) throws(Failure) in try body(&state.pointee) }
    #else
      pthread_mutex_lock(mutex)
      // Not deferred: a deferred block becomes a generic function here, which is not inlined.
      let value: Value
      do {
        value = try body(&state.pointee)
      } catch {
        pthread_mutex_unlock(mutex)
        throw error
      }
      pthread_mutex_unlock(mutex)
      return value
    #endif
  }

  /// Changes the state, and does the rest after the lock is released, with what `body` returns.
  ///
  /// Foreign code never runs under a lock, because it could take the lock again, or hold it up:
  ///
  /// - A release may run a `deinit` of the app. So `body` returns what it takes out of the state,
  ///   which is then released here, even if `rest` ignores it.
  /// - A task's cancellation runs its handlers, and a promise its waiter, on the spot.
  /// - A handler, a clock or a repository may be the app's own.
  @inlinable
  package func change<Value, Result>(
    _ body: (inout State) -> Value, afterwards rest: (Value) -> Result
  ) -> Result {
    let value = withLock(body)
    return withExtendedLifetime(value) { rest(value) }
  }

  /// Changes the state, and releases what `body` returns after the lock is released.
  @inlinable
  package func change<Released>(_ body: (inout State) -> Released) {
    change(body) { _ in }
  }

  /// Does the same as ``withLock(_:)``, or returns nil if another thread has the lock.
  @inlinable
  package func withLockIfAvailable<Value, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    #if canImport(Darwin)
      return try mutex.withLockIfAvailable { (_) throws(Failure) in try body(&state.pointee) }
    #else
      guard pthread_mutex_trylock(mutex) == 0 else { return nil }
      defer { pthread_mutex_unlock(mutex) }
      return try body(&state.pointee)
    #endif
  }
}
