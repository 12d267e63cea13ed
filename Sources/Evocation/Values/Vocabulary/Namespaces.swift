/// One API for create, read, update and remove over a remote service and a local store.
///
/// Register a proxy for each model type when your app starts. Then call the same methods
/// everywhere, on ``shared`` through the static forms or on an instance of your own:
///
/// ```swift
/// let result = await Evocation.find(model: Car.self, criteria: ["origin": "Japan"])
/// print(result.data?.count ?? 0, "cars from", result.origin?.rawValue ?? "nowhere")
/// ```
///
/// You can use all of it from any thread. The async form of a call runs where its caller runs. On
/// the main actor, a read or a write that needs no other thread therefore has no thread hop.
///
/// - Callback calls that you make one after another enter their repositories in that order.
///   Evocation promises nothing else about their order. A repository that blocks its thread delays
///   the starts behind it for a twentieth of a second. After that it delays only the writes that
///   must follow it, as a callback that blocks does.
/// - Each callback call calls its callback exactly once, after the call has returned: on the
///   configuration's queue if it has one, and otherwise on any thread. There a callback may work
///   for a long time, and may wait for another call, even for one that it makes. The calls of one
///   model type may block 64 threads in this way. Further calls go on when one of these threads is
///   free.
/// - By default, Evocation applies the writes on one model type one at a time, in the order of the
///   calls, in the target and in the second repository. A write that has to wait has started when
///   it has its position in that order. Reads run side by side.
/// - Canceling ends a call with `CancellationError` and cancels the repository's work. A canceled
///   call never asks the fallback.
public final class Evocation: Sendable, PlainlyPrinted {
  /// What the calls stand on, of a type that this target does not know.
  package let contents: any AnyObject & Sendable

  /// Creates an instance of what the calls stand on.
  package init(contents: any AnyObject & Sendable) {
    self.contents = contents
  }
}

/// Shows the writes that the server does not have yet, and controls how they are sent.
///
/// ```swift
/// let result = await Evocation.updateOne(car)
/// print(result.isPending)  // true: local has it, and the remote gets it when it can be reached
/// for await status in Evocation.outbox.observe() { print(status.pending, "to be sent") }
/// ```
///
/// A write by a rule with ``Strategy/Synchronization/outbox`` is committed to the local repository
/// together with an entry, the record of what to send. The call then returns, and the outbox sends
/// the entry automatically.
///
/// - The outbox sends entries on one model one after another, and entries on different models side
///   by side.
/// - An entry leaves the outbox only if the server has executed it, or your app has given it up. It
///   is sent with its id as its ``IdempotencyKey``, so that a server can tell a repeated attempt
///   from another write.
/// - Reads include unsent changes, from the local and from the remote repository.
/// - If several processes share a file, one of them sends, as long as its lease lasts.
///
/// All of this is safe to use from any thread. It reads and writes the local repositories of the
/// registered model types.
public final class Outbox: Sendable, PlainlyPrinted {
  /// What the outbox stands on, of a type that this target does not know.
  package let contents: any AnyObject & Sendable

  /// Creates an outbox of what it stands on.
  package init(contents: any AnyObject & Sendable) {
    self.contents = contents
  }
}
