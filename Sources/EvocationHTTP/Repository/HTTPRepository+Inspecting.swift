package import Evocation

extension HTTPRepository: InspectedRemote {
  /// The limits of the requests to the service's own host.
  package var inspectedGate: Inspection.Gate {
    client.service.gate(at: client.service.name).inspected
  }
}
