public import Evocation
public import Foundation
public import Observation

/// The conflicts that only the user can decide, one after another.
///
/// A conflict arises if the note has changed on both sides. Where each side has changed another
/// property, both changes stay, and nobody is asked.
@MainActor @Observable
public final class ConflictQuestions {
  /// A conflict that waits for an answer.
  public struct Question: Identifiable, Sendable {
    /// The id of the question, not of the note.
    public let id = UUID()
    /// Both states of the note, and the one that the user began with.
    public let conflict: Outbox.Conflict<Note>
    fileprivate let answers: AsyncStream<Answer>.Continuation
  }

  /// What the user chooses.
  public enum Answer: CaseIterable, Sendable {
    case keepMine, keepTheirs, keepBoth
    /// The change waits among the refused ones.
    case decideLater
  }

  private var open: [Question] = []

  /// The question to show; nil for none.
  ///
  /// A sheet that the user closes without an answer sets it to nil, which decides later.
  public var current: Question? {
    get { open.first }
    set { if newValue == nil { answer(.decideLater) } }
  }

  /// Creates an empty list of questions.
  public init() {}

  /// Answers the current question.
  public func answer(_ answer: Answer) {
    guard !open.isEmpty else { return }
    open.removeFirst().answers.yield(answer)
  }

  /// Returns what becomes of a conflict, when the user has answered.
  ///
  /// The outbox sends other notes in the meantime. If the app ends before the user answers, the
  /// change is still unsent, and the question comes again.
  func resolution(of conflict: Outbox.Conflict<Note>) async throws -> Outbox.Resolution<Note> {
    let merged = try Outbox.Resolution.mergedByFields(conflict)
    guard case .park = merged else { return merged }
    let (answers, continuation) = AsyncStream.makeStream(of: Answer.self)
    let question = Question(conflict: conflict, answers: continuation)
    open.append(question)
    defer { open.removeAll { $0.id == question.id } }
    for await answer in answers { return conflict.resolution(answer) }
    throw CancellationError()
  }
}

extension Outbox.Conflict<Note> {
  /// The answers that make sense: without two texts there is no keeping both.
  public var answers: [ConflictQuestions.Answer] {
    ConflictQuestions.Answer.allCases.filter { $0 != .keepBoth || hasTwoTexts }
  }

  private var hasTwoTexts: Bool { kind != .remove && theirs != nil }

  fileprivate func resolution(_ answer: ConflictQuestions.Answer) -> Outbox.Resolution<Note> {
    switch (answer, theirs) {
    case (.keepMine, _), (.keepBoth, nil): return .mine
    case (.keepTheirs, _): return .theirs
    case (.decideLater, _): return .park
    case (.keepBoth, var both?):
      both.text += "\n\n" + mine.text
      return .merged(both)
    }
  }
}
