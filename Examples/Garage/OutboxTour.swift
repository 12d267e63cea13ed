import Evocation
import EvocationHTTP
import Fixtures
import Foundation

/// The fourth tour: writes that wait for the service, while processes are killed.
struct OutboxTour {
  var narrator: Narrator
  /// The address of the service, when it runs.
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
    let office = try await conflict()
    try await refused(office, service)
    try await together(office, service)
  }

  /// The service itself, without the outbox.
  private var remote: HTTPRepository<Car> { HTTPRepository(HTTPService(url), "cars") }

  private mutating func written() async throws {
    narrator.title("8  Writing without the service, in a process that is killed")
    narrator.say("This program is started a second time, without a service. Its strategy is")
    narrator.say(".offlineFirst: a write is answered once the file has it, and is sent later.")
    let clerk = try Clerk.start(.sell, file: file, service: url)
    let isDone = await show(clerk, until: "to be sent")
    narrator.check(isDone, "two writes are pending, and one entry says both: the car with 140 hp")
    narrator.code("kill -9")
    clerk.kill()
    narrator.say("The process is gone. It was not asked, and nothing was saved on its way out.")
  }

  private mutating func killedInTheMiddle(_ service: Service) async throws {
    narrator.title("9  The service acts, its answer is lost, and the process is killed again")
    try await service.control(.hangUp(.beforeAnswer).only(method: "POST"))
    let clerk = try Clerk.start(.send, file: file, service: url)
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
    narrator.title("10  Started a third time")
    narrator.say("The right to send is the killed process's for a second more. Then it is free.")
    let clerk = try Clerk.start(.send, file: file, service: url)
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

  /// Starts the app once more.
  private func office() throws -> Evocation {
    let office = Evocation(configuration: .init(outbox: .garage(sendsAutomatically: false)))
    try Clerk.register(office, service: url, file: file).conflicts { try .mergedByFields($0) }
    return office
  }

  private mutating func conflict() async throws -> Evocation {
    narrator.title("11  Somebody else changes the car, and the app is killed before it knows")
    guard var theirs = try await office().findOne(model: Car.self, criteria: ["id": 1]).data else {
      throw CocoaError(.coderValueNotFound)
    }
    let clerk = try Clerk.start(.tune, file: file, service: url)
    let isPending = await show(clerk, until: "to be sent")
    narrator.check(isPending, "175 hp wait to be sent, and what they were made on with them")
    narrator.code("kill -9")
    clerk.kill()
    theirs.name += " (repainted)"
    _ = try await remote.updateOne(theirs)
    narrator.say("Meanwhile the car was repainted at the service.")
    narrator.code("proxy.conflicts { try .mergedByFields($0) }")
    let office = try office()
    narrator.code("await office.outbox.flush(deadline: .seconds(30))")
    say(await office.outbox.flush(deadline: .seconds(30)))
    let car = try await remote.findOne(["id": 1]).value
    narrator.table([car].compactMap(\.self))
    narrator.check(
      car?.name == theirs.name && car?.horsepower == 175, "the service has both changes")
    let local = await office.find(model: Car.self, criteria: ["id": 1])
    narrator.check(
      local.origin == .local && local.data == [car].compactMap(\.self), "and so has the file")
    return office
  }

  private mutating func refused(_ office: Evocation, _ service: Service) async throws {
    narrator.title("12  A write that the service refuses for good")
    let words = #"{"error": "9000 hp?", "errors": {"horsepower": ["At most 2000 hp."]}}"#
    let refusal = Service.Switch.status(422, times: 1, body: words)
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
    guard let entry = try await office.outbox.parked(Car.self).first,
      let failure = entry.failure
    else { return }
    narrator.say("why: \(failure.reason)")
    narrator.say("the service says: \(failure.message ?? "nothing")")
    for (field, texts) in failure.fields { narrator.say("\(field): \(texts.joined())") }
    car.horsepower = 190
    narrator.code("try await office.outbox.resend(entry, as: car)   // 190 hp")
    try await office.outbox.resend(entry, as: car)
    say(await office.outbox.flush(deadline: .seconds(30)))
    let now = try await remote.findOne(["id": 1]).value
    narrator.check(now?.horsepower == 190, "the edited one arrived, and nothing waits any more")
  }

  private mutating func together(_ office: Evocation, _ service: Service) async throws {
    narrator.title("13  Two cars swap their engines in one write")
    guard var one = await office.findOne(model: Car.self, criteria: ["id": 1]).data,
      var other = await office.findOne(model: Car.self, criteria: ["id": Clerk.volvo.id]).data
    else { return }
    (one.horsepower, other.horsepower) = (other.horsepower, one.horsepower)
    let (first, second) = (one, other)
    narrator.code("try await office.together { writes in")
    narrator.code("  try await writes.updateOne(first)    // 150 hp")
    narrator.code("  try await writes.updateOne(second)   // 190 hp")
    narrator.code("}")
    let delivery = try await office.together { writes in
      try await writes.updateOne(first)
      try await writes.updateOne(second)
    }
    let refusal = Service.Switch.status(422, times: 1, body: "{\"error\": \"closed today\"}")
    try await service.control(refusal.only(method: "PATCH", path: "/cars/1"))
    let flushed = await office.outbox.flush(deadline: .seconds(30))
    say(flushed)
    narrator.check(
      flushed == .init(sent: 0, left: 0, parked: 2), "the first is refused, and both are parked")
    guard let entry = try await office.outbox.entries(of: Car.self).last else { return }
    narrator.code("try await office.outbox.retry(entry)   // of either")
    try await office.outbox.retry(entry)
    say(await office.outbox.flush(deadline: .seconds(30)))
    let now = try await remote.find(Criteria(.isIn("id", [.integer(1), .integer(1_002)]))).value
    narrator.table(now)
    let isDone = await delivery.value() == .delivered
    narrator.check(
      isDone && Set(now.map(\.horsepower)) == [150, 190], "both are sent, in their order")
  }

  private func say(_ result: Outbox.FlushResult) {
    narrator.say("sent \(result.sent), left \(result.left), parked \(result.parked)")
  }

  /// Prints the lines of a process up to a line with a text, and returns whether that line came.
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
