import Evocation
import Foundation

/// Runs work on a thread with the stack that threads have where memory is short, or as many times as much
/// as a sanitizer needs.
package func onSmallStack<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws
  -> Value
{
  let result = Promise<Result<Value, any Error>>()
  let thread = Thread { result.fulfil(Result { try work() }) }
  thread.stackSize = (512 << 10) * Trials.patience
  thread.start()
  return try await result.value.get()
}
