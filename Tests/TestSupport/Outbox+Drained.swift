package import Evocation

extension Outbox {
  /// Waits until nothing is to be sent, by what an app observes.
  package func drained() async {
    var statuses = observe().makeAsyncIterator()
    while let status = await statuses.next(), status.pending > 0 || status.isSending {}
  }
}
