import Evocation
import Foundation
import Testing

@testable import EvocationInspector

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Who can reach the page, and what it is given.
@Suite struct InspectorTests {
  struct Car: Codable, Identifiable, Sendable { var id: Int }

  private let inspector = Inspector(Evocation())

  private func answer(
    _ address: URL, host: String? = nil, origin: String? = nil
  ) async throws -> (status: Int?, text: String, headers: [String: String]) {
    var request = URLRequest(url: address)
    if let host { request.setValue(host, forHTTPHeaderField: "Host") }
    if let origin { request.setValue(origin, forHTTPHeaderField: "Origin") }
    let (data, response) = try await URLSession.shared.data(for: request)
    let http = response as? HTTPURLResponse
    let headers = http?.allHeaderFields as? [String: String] ?? [:]
    return (http?.statusCode, String(decoding: data, as: UTF8.self), headers)
  }

  @Test func `The page and its files are at the address, and allow nothing from elsewhere`()
    async throws
  {
    let address = try await inspector.start()
    for (file, mark) in [("", "<title>"), ("page.css", ":root"), ("page.js", "WebSocket")] {
      let found = try await answer(address.appending(path: file))
      #expect(found.status == 200 && found.text.contains(mark))
      #expect(found.headers["Content-Security-Policy"]?.hasPrefix("default-src 'none'") == true)
    }
    await inspector.stop()
  }

  @Test func `Nothing is at any other address`() async throws {
    let address = try await inspector.start()
    let root = try #require(URL(string: "/", relativeTo: address)?.absoluteURL)
    let token = address.pathComponents[1]
    let wrong = ["", "page.js", "\(token.dropLast())x/", "\(token)", "\(token)/../Package.swift"]
    for path in wrong + ["\(token)/other.html", "\(token)/page.js/more"] {
      let url = try #require(URL(string: root.absoluteString + path))
      #expect(try await answer(url).status == 404, "\(path)")
    }
    await inspector.stop()
  }

  @Test func `A page of another site is refused, even with the token`() async throws {
    let address = try await inspector.start()
    #expect(try await answer(address, origin: "http://example.com").status == 404)
    #expect(try await answer(address, origin: "http://127.0.0.1:1").status == 200)
    await inspector.stop()
  }

  @Test func `Each start has another token, and a second start none of its own`() async throws {
    let address = try await inspector.start()
    #expect(try await inspector.start() == address)
    await inspector.stop()
    let later = try await inspector.start()
    #expect(later.pathComponents[1] != address.pathComponents[1])
    #expect(later.pathComponents[1].count >= 32)
    await inspector.stop()
  }

  @Test func `A port that is taken is named, with what to do`() async throws {
    let address = try await inspector.start()
    let port = UInt16(address.port ?? 0)
    let other = Inspector(Evocation(), configuration: .init(port: port))
    let error = await #expect(throws: InspectorError.self) { try await other.start() }
    let text = "The inspector cannot listen on port \(port) of 127.0.0.1: "
    #expect(error.map { "\($0)" }?.hasPrefix(text) == true)
    await inspector.stop()
  }

  @Test func `An app starts it in two lines`() async throws {
    #if DEBUG
      let inspector = Inspector()
      print("Inspector:", try await inspector.start())
    #endif
    do { try await inspector.start() } catch InspectorError.releaseBuild { print("not here") }
    await inspector.stop()
  }

  @Test func `A release build refuses, and says how to allow it`() {
    #expect(
      "\(InspectorError.releaseBuild)"
        == "The inspector does not start in a release build; set isAllowedInReleaseBuilds if people "
        + "who use this build may see and change what the app stores.")
  }
}
