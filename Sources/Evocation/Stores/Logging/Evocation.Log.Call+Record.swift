extension Evocation.Log.Call {
  /// Creates the entry of a call.
  package init(_ end: CallEnd, showsValues: Bool) {
    let trace = end.record.trace
    model = trace.model
    name = trace.call
    criteria = end.criteria.flatMap { LogText.of($0, showsValues: showsValues) }
    let metadata = end.record.metadata
    steps = trace.steps.map { step in
      step.logged(because: metadata[step.repository], showsValues: showsValues)
    }
    duration = end.duration
    origin = end.origin
    error = end.error.map { LogText.of($0, showsValues: showsValues) }
    fetchedAt = end.record.fetched.date
    isPending = end.isPending
  }

  /// Creates the entry of a trace that belongs to no call.
  package init(_ trace: Evocation.Trace, showsValues: Bool) {
    model = trace.model
    name = trace.call
    steps = trace.steps.map { $0.logged(because: nil, showsValues: showsValues) }
    duration = steps.reduce(.zero) { $0.adding($1.duration) }
    isPending = false
    for case .failed(let reason) in steps.map(\.outcome) { error = reason }
  }
}

extension Evocation.Trace.Step {
  /// Returns the step without text that may be the user's.
  fileprivate func logged(because metadata: Evocation.Metadata?, showsValues: Bool) -> Self {
    guard case .failed = outcome, !showsValues else { return self }
    var step = self
    let reason = metadata?.error.map { LogText.of($0, showsValues: false) } ?? "failed"
    // The remark is ours, and has nothing of the user's.
    step.outcome = .failed(metadata?["remark"].map { "\(reason.asSentence) \($0)" } ?? reason)
    return step
  }
}

/// The end of a call, for the log.
package struct CallEnd: Sendable {
  package var record: CallRecord
  package let criteria: Criteria?
  package let duration: Duration
  package let origin: Evocation.RepositoryType?
  package let error: (any Error)?
  package let isPending: Bool

  package init(
    record: CallRecord, criteria: Criteria?, duration: Duration,
    origin: Evocation.RepositoryType?, error: (any Error)?, isPending: Bool
  ) {
    self.record = record
    self.criteria = criteria
    self.duration = duration
    self.origin = origin
    self.error = error
    self.isPending = isPending
  }

  /// The same with the fetch date found out, and without the data that it was found in.
  package var settled: Self {
    var end = self
    end.record.settleDate()
    return end
  }
}
