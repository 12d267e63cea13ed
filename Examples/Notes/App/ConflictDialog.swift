import Evocation
import NotesModel
import SwiftUI

/// Shows both states of a note, and asks which one to keep.
struct ConflictDialog: View {
  let question: ConflictQuestions.Question
  let answer: (ConflictQuestions.Answer) -> Void

  var body: some View {
    NavigationStack {
      Form {
        Section("On this device") {
          Text(question.conflict.kind == .remove ? "Removed" : question.conflict.mine.text)
        }
        Section("Somewhere else") {
          Text(question.conflict.theirs?.text ?? "Removed")
        }
        Section {
          ForEach(question.conflict.answers, id: \.self) { choice in
            Button(choice.title) { answer(choice) }
          }
        }
      }
      .navigationTitle("\(question.conflict.mine.title) was changed twice")
    }
  }
}

extension ConflictQuestions.Answer {
  fileprivate var title: String {
    switch self {
    case .keepMine: "Keep the one on this device"
    case .keepTheirs: "Keep the one from somewhere else"
    case .keepBoth: "Keep both texts in one note"
    case .decideLater: "Decide later"
    }
  }
}
