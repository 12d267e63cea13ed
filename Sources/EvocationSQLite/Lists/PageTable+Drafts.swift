internal import Evocation
internal import Foundation

// The table of drafts, lists that are fetched separately: one row for each page, with its models.
extension PageTable {
  /// Returns the draft of a list; nil if there is none, or if its pages are incomplete.
  func draft(of list: String) throws -> ListDraft? {
    let value = try connection.first(
      "SELECT draft FROM evocation_list_drafts WHERE tag = ? ORDER BY page DESC LIMIT 1",
      [.text(list)])
    guard case .blob(let bytes)? = value,
      // A draft of another version of the library, or of the model, is fetched again.
      let kept = try? JSONDecoder().decode(KeptDraft.self, from: Data(bytes)),
      kept.columns == plan.columns.map(\.definition)
    else { return nil }
    let count = Int64(kept.draft.pages.count)
    let pages = try connection.integer(
      "SELECT count(*) FROM evocation_list_drafts WHERE tag = ? AND page BETWEEN 1 AND ?",
      [.text(list), .integer(count)])
    return pages == count ? kept.draft : nil
  }

  /// Saves a page of a draft.
  ///
  /// - Throws: `OutdatedStamp` if another process has begun, continued or taken the draft since.
  func save(_ page: ListPage<some Codable & Sendable>, _ draft: ListDraft) throws {
    if page.place == .replacing {
      try deleteDraft(of: page.list)
    } else {
      guard let held = try self.draft(of: page.list), draft.pages.follows(held.pages) else {
        throw OutdatedStamp()
      }
    }
    let kept = KeptDraft(draft: draft, columns: plan.columns.map(\.definition))
    try run(
      """
      INSERT OR REPLACE INTO evocation_list_drafts (tag, page, requirements, models, draft) VALUES \
      (?, ?, ?, ?, ?)
      """,
      [
        .text(page.list), .integer(Int64(draft.pages.count)), .blob([UInt8](page.requirements)),
        .blob([UInt8](try ModelJSON.data(page.models))),
        .blob([UInt8](try JSONEncoder().encode(kept))),
      ])
  }

  /// Calls `body` with each page of a draft, in order.
  func forEachDraftPage<Model: Codable & Sendable>(
    of list: String, _ body: ([Model], Data) throws -> Void
  ) throws {
    let sql = "SELECT models, requirements FROM evocation_list_drafts WHERE tag = ? ORDER BY page"
    try connection.rows(sql, [.text(list)], action: Self.reading) { statement in
      let models = try ModelJSON.model([Model].self, Data(statement.blobBytes(at: 0)))
      try body(models, Data(statement.blobBytes(at: 1)))
      return true
    }
  }

  func deleteDraft(of list: String) throws {
    try run("DELETE FROM evocation_list_drafts WHERE tag = ?", [.text(list)])
  }

  /// A draft with the columns of its models, which another version of the model may not have.
  private struct KeptDraft: Codable {
    let draft: ListDraft
    let columns: [String]
  }
}
