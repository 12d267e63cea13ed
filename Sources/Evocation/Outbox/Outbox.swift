/// The writes that the remote does not have yet.
public final class Outbox: Sendable {
}
