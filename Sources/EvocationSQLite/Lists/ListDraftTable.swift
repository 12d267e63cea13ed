internal import Evocation
internal import Foundation

/// Reads and writes the table of drafts, lists that are fetched separately, on one connection.
struct ListDraftTable<Model: Codable & Sendable> {
  private let connection: Connection
  private let columns: [String]

  init(_ connection: Connection, _ plan: TablePlan) {
    self.connection = connection
    columns = plan.columns.map(\.definition)
  }

  /// Returns the draft of a list; nil if there is none, or if its pages are incomplete.
  func draft(of tag: String) throws -> ListDraft? {
    let value = try connection.first(
      "SELECT draft FROM evocation_list_drafts WHERE tag = ? ORDER BY page DESC LIMIT 1",
      [.text(tag)])
    guard case .blob(let bytes)? = value,
      // A draft of another version of the library, or of the model, is fetched again.
      let kept = try? JSONDecoder().decode(Kept.self, from: Data(bytes)), kept.columns == columns
    else { return nil }
    let draft = kept.draft
    let pages = try connection.first(
      "SELECT count(*) FROM evocation_list_drafts WHERE tag = ? AND page BETWEEN 1 AND ?",
      [.text(tag), .integer(Int64(draft.pages.count))])
    return pages == .integer(Int64(draft.pages.count)) ? draft : nil
  }

  /// Saves a page of a draft.
  ///
  /// - Throws: `OutdatedStamp` if another process has begun, continued or taken the draft since.
  func save(_ page: ListPage<Model>, _ draft: ListDraft) throws {
    if page.place == .replacing {
      try delete(page.list)
    } else {
      guard let held = try self.draft(of: page.list), draft.pages.follows(held.pages) else {
        throw OutdatedStamp()
      }
    }
    try connection.run(
      """
      INSERT OR REPLACE INTO evocation_list_drafts (tag, page, requirements, models, draft) VALUES \
      (?, ?, ?, ?, ?)
      """,
      [
        .text(page.list), .integer(Int64(draft.pages.count)), .blob([UInt8](page.requirements)),
        .blob([UInt8](try ModelJSON.data(page.models))),
        .blob([UInt8](try JSONEncoder().encode(Kept(draft: draft, columns: columns)))),
      ], PageTable.writing)
  }

  /// Calls `body` with each page, in order.
  func forEachPage(of tag: String, _ body: ([Model], Data) throws -> Void) throws {
    let sql = "SELECT models, requirements FROM evocation_list_drafts WHERE tag = ? ORDER BY page"
    try connection.rows(sql, [.text(tag)], PageTable.reading) { statement in
      let models = try ModelJSON.model([Model].self, Data(statement.blobBytes(at: 0)))
      try body(models, Data(statement.blobBytes(at: 1)))
      return true
    }
  }

  func delete(_ tag: String) throws {
    try connection.run(
      "DELETE FROM evocation_list_drafts WHERE tag = ?", [.text(tag)], PageTable.writing)
  }

  /// A draft with the columns of its models, which another version of the model may not have.
  private struct Kept: Codable {
    let draft: ListDraft
    let columns: [String]
  }
}
