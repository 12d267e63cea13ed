import Evocation
import NotesModel
import SwiftUI

/// Says how many changes the server does not have, and leads to those that it has refused.
struct OfflineBadge: View {
  private let notebook: Notebook
  @State private var outbox: ObservedOutbox

  init(_ notebook: Notebook) {
    self.notebook = notebook
    _outbox = State(initialValue: ObservedOutbox(notebook.evocation.outbox))
  }

  var body: some View {
    if let badge = outbox.status.badge {
      if outbox.status.parked > 0 {
        NavigationLink {
          ParkedView(notebook)
        } label: {
          label(badge)
        }
      } else {
        label(badge)
      }
    }
  }

  private func label(_ badge: String) -> some View {
    Label(badge, systemImage: "icloud.slash")
      .font(.footnote)
      .accessibilityLabel("Changes on this device: \(badge)")
  }
}
