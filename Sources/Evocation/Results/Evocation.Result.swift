public import Foundation

extension Evocation {
  /// What a call gives: the data, where they came from, what went wrong, and what was tried.
  public struct Result<Value: Sendable>: Sendable {
    /// The models, or the one model; nil when the action failed, or found or changed no single one.
    public var data: Value?

    /// The repository that the data came from.
    public var origin: RepositoryType?

    /// Why the action failed or could not be carried out as configured.
    public var error: (any Error)?

    /// Why the counterpart did not follow, although the action succeeded.
    public var synchronizationError: (any Error)?

    /// When what `data` holds was last fetched from the remote; nil where that is not known.
    ///
    /// Of an answer of the remote it is when it answered. Of local's it is when all that the criteria ask
    /// for was last fetched, by a read, a cache or
    /// ``Evocation/prefetch(_:criteria:maxAge:)-swift.method``: these criteria, or others of which every
    /// condition is among theirs, such as everything. It is not known of models that came by several
    /// other fetches, of what the app wrote or put into local by itself, and of what was fetched before
    /// the device's date was set back.
    public var fetchedAt: Date? {
      get { record.fetched.date }
      set { record.fetched = .init(at: newValue) }
    }

    /// Whether the outbox holds the write: local has it, and the remote gets it later.
    public var isPending = false

    /// What was tried; the metadata and the trace are made of it.
    @usableFromInline var record: CallRecord

    /// What a callback repository adds to its answer.
    @usableFromInline var values: [String: any Sendable]

    /// What each repository did: `metadata[.remote]` is nil when remote was not asked.
    public var metadata: MetadataByRepository {
      get { record.metadata }
      set { record.set(newValue) }
    }

    /// The steps, in order, and why.
    public var trace: Trace {
      get { record.trace }
      set { record.trace = newValue }
    }

    /// Makes a result, as a callback repository answers it.
    ///
    /// - Parameters:
    ///   - data: The answer; nil with an error, or where there is no single model to give.
    ///   - origin: Left out by repositories: the proxy fills it in.
    ///   - error: Why there is no answer.
    ///   - synchronizationError: Left out by repositories.
    ///   - values: What the caller shall find in the repository's metadata, by name.
    ///   - metadata: Left out by repositories.
    ///   - trace: Left out by repositories.
    @inline(__always)
    public init(
      data: Value? = nil,
      origin: RepositoryType? = nil,
      error: (any Error)? = nil,
      synchronizationError: (any Error)? = nil,
      values: [String: any Sendable] = [:],
      metadata: MetadataByRepository = .init(),
      trace: Trace = .init()
    ) {
      self.init(
        data: data, origin: origin, error: error, synchronizationError: synchronizationError,
        values: values, record: CallRecord(metadata: metadata, trace: trace))
    }

    // Always inlined, because it would look up the type of the data.
    @inlinable @inline(__always)
    init(
      data: Value?, origin: RepositoryType?, error: (any Error)?,
      synchronizationError: (any Error)?, values: [String: any Sendable], record: CallRecord
    ) {
      self.data = data
      self.origin = origin
      self.error = error
      self.synchronizationError = synchronizationError
      self.values = values
      self.record = record
    }

    /// Gives the data.
    ///
    /// - Throws: `error` when there is one, although there may be data too, and
    ///   ``EvocationError/noData`` when there is neither.
    public func get() throws -> Value {
      if let error { throw error }
      guard let data else { throw EvocationError.noData }
      return data
    }

    /// Whether the fallback answered in place of the target.
    ///
    /// A write that fell back is in the fallback alone; nothing sends it to the target later. One
    /// that is to be sent later goes by the outbox, which ``isPending`` says, and never falls back.
    public var didFallBack: Bool {
      guard let origin else { return false }
      return metadata[origin]?.role == .fallback
    }
  }
}

// The callers' side of the calls that concern one model, where the compiler knows its type.
extension Evocation.Result {
  /// The same result with other data.
  @inlinable
  func mapData<Other: Sendable>(
    _ transform: (Value) -> Other?
  ) -> Evocation.Result<Other> {
    var result = Evocation.Result<Other>(
      data: data.flatMap(transform), origin: origin, error: error,
      synchronizationError: synchronizationError, values: values, record: record)
    result.isPending = isPending
    return result
  }

  /// The result about the one model of an array.
  @inlinable
  func one<Model>() -> Evocation.Result<Model> where Value == [Model] {
    mapData { $0.first }
  }
}

extension Evocation.Result {
  /// The result about how many models there are, and not about them.
  func count<Model, Other: Sendable>(
    _ convert: (Int) -> Other
  ) -> Evocation.Result<Other> where Value == [Model] {
    let count = origin.flatMap { metadata[$0]?.count }
    return mapData { _ in count.map(convert) }
  }
}
