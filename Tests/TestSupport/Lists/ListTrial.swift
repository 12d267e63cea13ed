package import Evocation
package import EvocationTesting

/// Does random operations on a list, and compares it with a plain reference after each.
///
/// It tests a local repository, above all a `ListStore`: pages are added at both ends, refreshed,
/// interrupted and dropped while the service moves its models, and while models are edited, removed and
/// stored again. The violations list what went wrong, and all operations before it. The same seed repeats
/// the trial. A trial belongs to one task.
package final class ListTrial {
  /// What differed from the reference, and the operations that led to it; empty when nothing did.
  package private(set) var violations: [String] = []

  /// How many pages were added to lists.
  package private(set) var pageCount = 0

  private var random: SeededGenerator
  private var reference: ListReference
  private var evocation: Evocation
  private var repository: PagingCacheRepository<ProxyPagingCacheDataSource<Listed>>
  private let service: ShiftingService
  private let pageSize: Int
  private let keptPages: Int?
  private let refreshes: ListOptions.Refresh
  private var local: any Repository<Listed>
  private let reopen: (@Sendable () async throws -> any Repository<Listed>)?
  private var nextID: Int
  private var history: [String] = []

  /// Prepares a trial.
  ///
  /// - Parameters:
  ///   - random: Chooses the operations.
  ///   - local: The local repository, empty.
  ///   - reopen: Opens it again, as after a restart; nil where its lists do not outlive it.
  package init(
    _ random: SeededGenerator, local: any Repository<Listed>,
    reopen: (@Sendable () async throws -> any Repository<Listed>)? = nil
  ) {
    var random = random
    let count = random.count(0...12)
    pageSize = random.count(1...4)
    keptPages = random.chance(40) ? random.count(1...3) : nil
    refreshes = random.chance(50) ? .firstPage : .allPages
    service = ShiftingService(
      (0..<count).map { Listed($0) }, random.pick(ShiftingService.Kind.allCases))
    nextID = count
    reference = ListReference(keptPages: keptPages)
    self.random = random
    self.local = local
    self.reopen = reopen
    evocation = Evocation()
    repository = evocation.pagingCache(Listed.self, pageSize: 1)
    begin()
  }

  /// Makes this many steps, and stops at the first violation.
  ///
  /// - Throws: What the local repository throws.
  package func run(steps: Int) async throws {
    for _ in 0..<steps where violations.isEmpty {
      try await step()
      try await compare()
    }
    if !violations.isEmpty { violations += history }
  }

  private func begin() {
    evocation = Evocation()
    wire(local)
    makeRepository()
  }

  private func wire(_ local: some Repository<Listed>) {
    evocation.register(for: Listed.self).repository(remote: service).repository(local: local)
  }

  private func makeRepository() {
    repository = evocation.pagingCache(
      Listed.self, pageSize: pageSize,
      options: .init(
        paging: service.paging, refreshes: refreshes, maxPages: keptPages,
        automaticallyRefresh: false))
    repository.requirements = Criteria()
  }

  private func step() async throws {
    switch random.count(0...99) {
    case ..<30: try await goOn(.next)
    case ..<40: try await goOn(.previous)
    case ..<50: try await refresh()
    case ..<65: shift()
    case ..<75: try await edit()
    case ..<83: try await remove()
    case ..<88: try await storeAgain()
    case ..<92: try await failRefresh()
    case ..<95:
      history.append("clear")
      try await repository.clear()
      reference.clear()
    default: try await restart()
    }
  }

  private func goOn(_ direction: PageDirection) async throws {
    _ = service.takeAnswers()
    let result =
      direction == .next
      ? await repository.goToNextPage() : await repository.goToPreviousPage()
    let answers = service.takeAnswers()
    history.append("\(direction): \(result), \(answers.map { $0.map(\.id) })")
    if case .failed(let error) = result, isCircle(error) { return }
    for answer in answers { reference.add(answer, direction) }
    pageCount += answers.count
    if result != .successful, !answers.isEmpty { violations.append("\(direction): \(result)") }
  }

  private func refresh() async throws {
    let pages = min(max(1, reference.pages.count), keptPages ?? .max)
    _ = service.takeAnswers()
    let result = try await repository.refresh(force: true)
    let answers = service.takeAnswers()
    history.append("refresh: \(result), \(answers.map { $0.map(\.id) })")
    if case .failed(let error) = result, isCircle(error) { return }
    if result != .successful { violations.append("refresh: \(result)") }
    let isWhole = (answers.last?.last).map { $0.id == service.items.last?.id } ?? true
    let isShort = (answers.last?.count ?? 0) < pageSize
    let wanted = refreshes == .firstPage ? 1 : pages
    if answers.count != wanted, answers.count > wanted || !isWhole && !isShort {
      violations.append("It fetched \(answers.count) pages of \(wanted).")
    }
    reference.replace(with: answers)
  }

  private func failRefresh() async throws {
    service.answersUntilOutage = random.count(0...2)
    _ = service.takeAnswers()
    let result = try await repository.refresh(force: true)
    service.answersUntilOutage = nil
    let answers = service.takeAnswers()
    history.append("refresh while the service fails: \(result), \(answers.map { $0.map(\.id) })")
    guard result != .successful else { return reference.replace(with: answers) }
    if case .failed(let error) = result, isCircle(error) { return }
    if result != .failed(ShiftingService.Outage()) { violations.append("failed: \(result)") }
    try await compare()
    if random.chance(50) { try await restart() }
    if random.chance(50) { shift() }
    try await refresh()
  }

  /// Whether the error says that pages lead in a circle, as they may seem to after a shift.
  private func isCircle(_ error: any Error) -> Bool {
    guard case .repeatedPage = error as? CacheError else { return false }
    return service.paging.isByAnswer
  }

  private func shift() {
    var items = service.items
    switch random.count(0...3) {
    case 0:
      items.insert(Listed(nextID), at: random.count(0...items.count))
      nextID += 1
    case 1 where !items.isEmpty: items.remove(at: random.count(0...items.count - 1))
    case 2 where !items.isEmpty:
      let item = items.remove(at: random.count(0...items.count - 1))
      items.insert(item, at: random.count(0...items.count))
    default:
      items.append(Listed(nextID))
      nextID += 1
    }
    service.items = items
    history.append("service: \(items.map(\.id))")
  }

  private func edit() async throws {
    guard !reference.ids.isEmpty else { return }
    let id = random.pick(reference.ids)
    history.append("edit \(id)")
    _ = try await local.update([Listed(id, "edited \(random.count(0...9))")])
  }

  private func remove() async throws {
    guard !reference.ids.isEmpty else { return }
    let id = random.pick(reference.ids)
    history.append("remove \(id)")
    _ = try await local.remove([Listed(id)])
    reference.remove(id)
  }

  private func storeAgain() async throws {
    guard !reference.ids.isEmpty else { return }
    let id = random.pick(reference.ids)
    history.append("remove and store \(id)")
    _ = try await local.remove([Listed(id)])
    _ = try await local.storeOrUpdate([Listed(id)])
    reference.remove(id)
  }

  private func restart() async throws {
    history.append("restart")
    guard let reopen else { return makeRepository() }
    local = try await reopen()
    begin()
  }

  /// The list is the reference's, its models are those of the store, and a window is a part of it.
  private func compare() async throws {
    let list = try? await repository.value(from: .cache)
    guard reference.exists else {
      if list != nil { violations.append("There is a list that was never fetched.") }
      return
    }
    if list?.map(\.id) != reference.ids {
      violations.append("\(list?.map(\.id) ?? []) and not \(reference.ids)")
    }
    let held = try await local.find(Criteria()).value
    let models = [Int: Listed](uniqueKeysWithValues: held.map { ($0.id, $0) })
    if list ?? [] != reference.ids.compactMap({ models[$0] }) {
      violations.append("The models are not the store's.")
    }
    try await compareWindow()
  }

  private func compareWindow() async throws {
    let start = random.count(0...4)
    let window = start..<start + random.count(0...4)
    repository.window = window
    defer { repository.window = nil }
    var states = repository.observe().makeAsyncIterator()
    let state = await states.next()
    let part = window.clamped(to: 0..<reference.ids.count)
    let isEmpty = reference.ids.isEmpty
    if state?.cache?.cache.map(\.id) != (isEmpty ? nil : Array(reference.ids[part]))
      || state?.cache?.count != (isEmpty ? nil : reference.ids.count)
    {
      violations.append(
        "The window \(window) shows \(state?.cache?.cache.map(\.id) ?? []) of \(reference.ids)")
    }
  }
}
