import Evocation
import TestTraits
import Testing

/// The samples of the page for those who come from Teller.
@Suite(.patient) struct TellerMigrationTests {
  private let ledger = InMemoryFetchLedger()
  private let store = DepartureStore()
  private let service = DepartureService(destinations: ["Chur", "Basel", "Olten"])

  @Test func `a cache is observed`() async throws {
    let board = Board()
    let departures = CacheRepository(
      DepartureSource(service: service, store: store), ledger: ledger)
    departures.requirements = DepartureSource.Requirements(station: "Berne")
    let task = Task {
      for await state in departures.observe() {
        switch state.state {
        case .noCache: board.show("Nothing has been fetched yet.")
        case .cache(nil, _): board.show("Nothing leaves from here.")
        case .cache(let list?, let fetchedAt): board.show("\(list.count) as of \(fetchedAt)")
        }
        if state.isRefreshing { board.show("Looking for later ones.") }
        if let error = state.refreshError { board.show("It did not work: \(error)") }
      }
    }
    let lines = await board.lines(upTo: "3 as of")
    #expect(lines.first == "Nothing has been fetched yet.")
    task.cancel()
  }

  @Test func `a cache is refreshed in the background, by hand, and when there is none`()
    async throws
  {
    let board = Board()
    let departures = CacheRepository(
      DepartureSource(service: service, store: store), ledger: ledger)
    departures.requirements = DepartureSource.Requirements(station: "Berne")
    if case .successful = try await departures.refreshIfNoCache() {
      board.show("There is a cache, maybe an empty one.")
    }
    let background = try await departures.refresh()
    switch try await departures.refresh(force: true) {
    case .successful: board.show("Up to date.")
    case .failed(let error): board.show("Still the former list: \(error)")
    case .skipped(let reason): board.show("Not fetched: \(reason)")
    }
    #expect(background == .skipped(.cacheNotTooOld))
    #expect(
      await board.lines(upTo: "Up")
        == ["There is a cache, maybe an empty one.", "Up to date."])
  }

  @Test func `a list is loaded page by page`() async throws {
    let board = Board()
    let timetable = PagingCacheRepository(
      TimetableSource(service: service, store: store), ledger: ledger)
    timetable.requirements = TimetableSource.Requirements(station: "Berne")
    let task = Task {
      for await state in timetable.observe() {
        guard let list = state.cache else { continue }
        board.show("\(list.cache.count) departures, \(list.areMorePages ? "and more" : "all")")
        if case .error(let error) = list.next { board.show("No further page: \(error)") }
      }
    }
    #expect(await board.lines(upTo: "2") == ["2 departures, and more"])
    let page = await timetable.goToNextPage()
    #expect(page == .successful)
    #expect(await board.lines(upTo: "3").last == "3 departures, all")
    #expect(await timetable.goToNextPage() == .skipped(.noMorePages))
    task.cancel()

    let cut = PagingCacheRepository(
      TimetableSource(service: service, store: store), keepsPages: false, ledger: ledger)
    cut.requirements = TimetableSource.Requirements(station: "Berne")
    #expect(try await cut.value().map(\.id) == [0, 1, 2])
    try await timetable.clear()
    #expect(store.value(of: TimetableSource.Requirements(station: "Berne").tag) == [])
  }

  @Test func `a value that only the app knows is a cache without a fetch`() async throws {
    let board = Board()
    let home = CacheRepository(
      HomeStationSource(store: KeptValues(initial: "")), ledger: ledger)
    home.requirements = "home station"
    let task = Task {
      for await state in home.observe() {
        board.show(state.cache.map { "Your station is \($0)." } ?? "Choose a station.")
      }
    }
    #expect(await board.lines(upTo: "Choose") == ["Choose a station."])
    try await home.update("Thun")
    #expect(await board.lines(upTo: "Your").last == "Your station is Thun.")
    task.cancel()
  }

  @Test func `a registered model needs no source`() async throws {
    let evocation = Evocation()
    evocation
      .register(for: Car.self)
      .repository(remote: CarService([Car(id: 1, name: "a", origin: "Japan", year: 1980)]))
      .repository(local: CarStore())
    let cars = evocation.cache(Car.self, where: ["origin": "Japan"], maxAge: .hours(5))
    #expect(try await cars.value().map(\.id) == [1])
  }

  @Test func `a state is shown as another type`() async throws {
    let departures = CacheRepository(
      DepartureSource(service: service, store: store), ledger: ledger)
    departures.requirements = DepartureSource.Requirements(station: "Berne")
    try await departures.refresh()
    let destinations = departures.observe().map { state in
      state.convert { $0?.map(\.destination) }
    }
    for await state in destinations where state.cache != nil {
      #expect(state.cache == ["Chur", "Basel", "Olten"])
      break
    }
  }
}
