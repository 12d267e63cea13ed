package import Evocation

extension HTTPRepository {
  /// The limits of the requests to the service's own host.
  package var gateState: GateState {
    client.service.gate(at: client.service.name).inspected
  }
}
