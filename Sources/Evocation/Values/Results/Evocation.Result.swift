public import Foundation

extension Evocation {
  /// The result of a call: the data, their origin, errors, and what was tried.
  public struct Result<Value: Sendable>: Sendable, CustomStringConvertible {
    /// The models, or the one model; nil if the action failed, or found or changed no single model.
    public var data: Value?

    /// All but the data.
    @usableFromInline var rest: ResultDetails

    /// The repository that the data came from; nil if the action failed.
    public var origin: RepositoryType? {
      get { rest.content.origin }
      set { change { $0.origin = newValue } }
    }

    /// Why the action failed, or could not be executed as configured.
    public var error: (any Error)? {
      get { rest.content.error }
      set { change { $0.error = newValue } }
    }

    /// Why syncing to the second repository failed, although the action succeeded.
    public var synchronizationError: (any Error)? {
      get { rest.content.synchronizationError }
      set { change { $0.synchronizationError = newValue } }
    }

    /// When `data` was last fetched from the remote; nil if that is unknown.
    ///
    /// For an answer of the remote, it is the time of the answer. For an answer of the local store,
    /// it is the last fetch of the same criteria, by a read, a cache or
    /// ``Evocation/prefetch(_:criteria:maxAge:progress:)-swift.method``. For a single model, a find of its
    /// criteria counts too.
    ///
    /// It is unknown for models that came by fetches of other criteria, for models that your app
    /// wrote or saved to the local store itself, and for data that were fetched before the device's
    /// date was set back. With a limit, an offset or a cursor it is unknown too, because the local
    /// store cannot tell which models the remote returned, unless the criteria name one by its id.
    public var fetchedAt: Date? {
      get { record.fetched.date }
      set { record.fetched = .init(at: newValue) }
    }

    /// Whether the outbox has the write: local has saved it, and Evocation sends it to the remote
    /// later.
    public var isPending: Bool {
      get { rest.content.isPending }
      set { change { $0.isPending = newValue } }
    }

    /// The record from which the metadata and the trace are created.
    package var record: CallRecord {
      get { rest.content.record }
      set { change { $0.record = newValue } }
    }

    /// The values that a callback repository adds to its answer.
    package var values: [String: any Sendable] { rest.content.values }

    /// What each repository did; `metadata[.remote]` is nil if the remote was not asked.
    public var metadata: MetadataByRepository {
      get { record.metadata }
      set { record.set(newValue) }
    }

    /// The steps in order, with their reasons.
    public var trace: Trace {
      get { record.trace }
      set { record.trace = newValue }
    }

    /// Creates a result, as a callback repository returns it.
    ///
    /// - Parameters:
    ///   - data: The answer; nil with an error, or if there is no single model to return.
    ///   - origin: Repositories omit it, and Evocation sets it.
    ///   - error: Why there is no answer.
    ///   - synchronizationError: Repositories omit it.
    ///   - values: Values for the caller, by name, which Evocation puts into the repository's
    ///     metadata.
    ///   - metadata: Repositories omit it.
    ///   - trace: Repositories omit it.
    public init(
      data: Value? = nil,
      origin: RepositoryType? = nil,
      error: (any Error)? = nil,
      synchronizationError: (any Error)? = nil,
      values: [String: any Sendable] = [:],
      metadata: MetadataByRepository = .init(),
      trace: Trace = .init()
    ) {
      let content = ResultDetails.Content(
        origin: origin, error: error, synchronizationError: synchronizationError, values: values,
        record: CallRecord(metadata: metadata, trace: trace))
      self.init(data: data, rest: ResultDetails(content))
    }

    // Always inlined, because it would otherwise look up the type of the data. `isPending` has no
    // default: the linker does not find one of an inlined initializer in another target.
    @inlinable @inline(__always)
    package init(
      data: Value?, origin: RepositoryType?, error: (any Error)? = nil,
      synchronizationError: (any Error)? = nil, isPending: Bool, record: CallRecord
    ) {
      self.init(
        data: data,
        rest: ResultDetails(
          origin: origin, error: error, synchronizationError: synchronizationError,
          isPending: isPending, record: record))
    }

    @inlinable @inline(__always)
    init(data: Value?, rest: ResultDetails) {
      self.data = data
      self.rest = rest
    }

    private mutating func change(_ body: (inout ResultDetails.Content) -> Void) {
      var content = rest.content
      body(&content)
      rest = ResultDetails(content)
    }

    /// Returns the data.
    ///
    /// - Throws: `error` if there is one, even if there are data too; ``EvocationError/noData`` if
    ///   there is neither.
    public func get() throws -> Value {
      if let error { throw error }
      guard let data else { throw EvocationError.noData }
      return data
    }

    /// Whether the fallback answered in place of the target.
    ///
    /// A write that fell back is in the fallback alone, and Evocation does not send it to the
    /// target later. A write through the outbox never falls back; ``isPending`` says that Evocation
    /// sends it later.
    public var didFallBack: Bool {
      guard let origin else { return false }
      return metadata[origin]?.role == .fallback
    }
  }
}

// Part of the calls on one model, compiled in your app's code, where the compiler knows the type.
extension Evocation.Result {
  /// Returns the same result with other data.
  @inlinable
  func mapData<Other: Sendable>(
    _ transform: (Value) -> Other?
  ) -> Evocation.Result<Other> {
    Evocation.Result<Other>(data: data.flatMap(transform), rest: rest)
  }

  /// Returns the result for the one model of an array.
  @inlinable
  package func one<Model>() -> Evocation.Result<Model> where Value == [Model] {
    mapData { $0.first }
  }
}

extension Evocation.Result {
  /// Returns the result with the number of models in place of the models.
  package func count<Model, Other: Sendable>(
    _ convert: (Int) -> Other
  ) -> Evocation.Result<Other> where Value == [Model] {
    let count = origin.flatMap { metadata[$0]?.count }
    return mapData { _ in count.map(convert) }
  }
}

/// All of a result but its data.
///
/// It is a class, so that a result is two words wide and is passed on without looking up the type of
/// its data (`find, async`).
@usableFromInline
final class ResultDetails: Sendable {
  struct Content: Sendable {
    var origin: Evocation.RepositoryType?
    var error: (any Error)?
    var synchronizationError: (any Error)?
    var values: [String: any Sendable] = [:]
    var isPending = false
    var record: CallRecord
  }

  let content: Content

  init(_ content: Content) {
    self.content = content
  }

  @usableFromInline
  init(
    origin: Evocation.RepositoryType?, error: (any Error)?, synchronizationError: (any Error)?,
    isPending: Bool, record: CallRecord
  ) {
    content = Content(
      origin: origin, error: error, synchronizationError: synchronizationError,
      isPending: isPending, record: record)
  }
}
