import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// The third walk: writes that wait for the service, and processes that are killed meanwhile.
struct OutboxTour {
  var narrator: Narrator
  /// Where the service is, when it is there.
  let url: URL
  let port: Int
  let file: String

  init(narrator: Narrator, service: Service, file: String) {
    self.narrator = narrator
    (url, port) = (service.url, service.port)
    self.file = file
  }

  mutating func run() async throws {
    try await written()
    let service = try await Service.start(port: port)
    defer { service.stop() }
    try await killedInTheMiddle(service)
    try await arrived(service)
    let office = Evocation(configuration: .init(outbox: .garage(sendsAutomatically: false)))
    let proxy = try Clerk.register(office, service: url, file: file)
    try await conflict(office, proxy)
    try await refused(office, service)
  }

  /// The service as it is, past the outbox.
  private var remote: HTTPRepository<Car> { HTTPRepository(baseURL: url, path: "cars") }

  private mutating func written() async throws {
    narrator.title("7  Writing without the service, in a process that is killed")
    narrator.say("This program is started a second time, without a service. Its strategy is")
    narrator.say(".offlineFirst: a write is answered once the file has it, and is sent later.")
    let clerk = try Clerk.start(isOnline: false, file: file, service: url)
    let isDone = await show(clerk, until: "to be sent")
    narrator.check(isDone, "two writes are pending, and one entry says both: the car with 140 hp")
    narrator.code("kill -9")
    clerk.kill()
    narrator.say("The process is gone. It was not asked, and nothing was saved on its way out.")
  }

  private mutating func killedInTheMiddle(_ service: Service) async throws {
    narrator.title("8  The service acts, its answer is lost, and the process is killed again")
    try await service.control(.hangUp(.beforeAnswer).only(method: "POST"))
    let clerk = try Clerk.start(isOnline: true, file: file, service: url)
    let isPending = await show(clerk, until: "to be sent")
    narrator.check(isPending, "the write has outlived its process")
    for _ in 0..<1_000 {
      if try await remote.findOne(["id": Clerk.volvo.id]).value != nil { break }
      try await Task.sleep(for: .milliseconds(10))
    }
    narrator.code("kill -9")
    clerk.kill()
    try await service.release()
    narrator.say("The service has the volvo now, and nobody on this side knows that.")
  }

  private mutating func arrived(_ service: Service) async throws {
    narrator.title("9  Started a third time")
    narrator.say("The right to send is the killed process's for a second more. Then it is free.")
    let clerk = try Clerk.start(isOnline: true, file: file, service: url)
    let isSent = await show(clerk, until: "sent: ")
    clerk.end()
    narrator.check(isSent, "the write was sent, and its entry is gone")
    let posts = try await service.requests().filter { $0.method == "POST" }
    let keys = Set(posts.map { $0.headers["idempotency-key"] })
    narrator.check(
      posts.count > 1 && keys.count == 1 && keys.first != .some(nil),
      "the service was asked more than once, always with the same Idempotency-Key")
    let volvos = try await remote.find(Criteria.Key("name") == Clerk.volvo.name).value
    narrator.table(volvos)
    narrator.check(volvos.map(\.horsepower) == [140], "and has one volvo, with 140 hp")
  }

  private mutating func conflict(_ office: Evocation, _ proxy: Proxy<Car>) async throws {
    narrator.title("10  Somebody else has changed the same car")
    narrator.code("proxy.conflicts { conflict in …; return .merged(car) }")
    proxy.conflicts { conflict in
      guard var car = conflict.theirs else { return .mine }
      car.horsepower = conflict.mine.horsepower
      return .merged(car)
    }
    guard var mine = await office.findOne(model: Car.self, criteria: ["id": 1]).data else { return }
    var theirs = mine
    theirs.name += " (repainted)"
    _ = try await remote.updateOne(theirs)
    mine.horsepower = 175
    narrator.code("await office.updateOne(mine)          // 175 hp, and not repainted")
    let updated = await office.updateOne(mine)
    narrator.check(updated.isPending, "answered, and pending")
    narrator.code("await office.outbox.flush(deadline: .seconds(30))")
    say(await office.outbox.flush(deadline: .seconds(30)))
    let car = try await remote.findOne(["id": 1]).value
    narrator.table([car].compactMap(\.self))
    narrator.check(
      car?.name == theirs.name && car?.horsepower == 175, "the service has both changes")
    let local = await office.find(model: Car.self, criteria: ["id": 1])
    narrator.check(
      local.origin == .local && local.data == [car].compactMap(\.self), "and so has the file")
  }

  private mutating func refused(_ office: Evocation, _ service: Service) async throws {
    narrator.title("11  A write that the service refuses for good")
    let refusal = Service.Switch.status(422, times: 1, body: "{\"error\": \"9000 hp?\"}")
    try await service.control(refusal.only(method: "PATCH", path: "/cars/1"))
    guard var car = await office.findOne(model: Car.self, criteria: ["id": 1]).data else { return }
    car.horsepower = 9_000
    narrator.code("await office.updateOne(car)           // 9000 hp")
    _ = await office.updateOne(car)
    var volvo = Clerk.volvo
    volvo.horsepower = 150
    _ = await office.updateOne(volvo)
    let flushed = await office.outbox.flush(deadline: .seconds(30))
    say(flushed)
    narrator.check(
      flushed == .init(sent: 1, left: 0, parked: 1), "it is parked, and holds up no other car")
    guard let entry = try await office.outbox.entries(of: Car.self).first else { return }
    if case .parked(_, let reason) = entry.state { narrator.say("why: \(reason)") }
    car.horsepower = 190
    narrator.code("try await office.outbox.resend(entry, as: car)   // 190 hp")
    try await office.outbox.resend(entry, as: car)
    say(await office.outbox.flush(deadline: .seconds(30)))
    let now = try await remote.findOne(["id": 1]).value
    narrator.check(now?.horsepower == 190, "the edited one arrived, and nothing waits any more")
  }

  private func say(_ result: Outbox.FlushResult) {
    narrator.say("sent \(result.sent), left \(result.left), parked \(result.parked)")
  }

  /// Prints what a process says, up to a line with a text; whether that came.
  private func show(_ process: ChildProcess, until mark: String) async -> Bool {
    func isComplete(_ text: String) -> Bool {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .contains { $0.contains(mark) }
    }
    let text = await process.text(until: isComplete)
    for line in text.split(separator: "\n") {
      narrator.say("│ \(line)")
      if line.contains(mark) { return true }
    }
    return false
  }
}
