import Evocation

struct NoteService: Repository {
  let server: NoteServer

  func find(_ criteria: Criteria) async throws -> Response<[Note]> {
    let notes = try await server.notes(in: criteria["folder"] as? String)
    return Response(notes, metadata: ["server": "notes-1"])
  }

  func store(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await server.put(notes))
  }

  func update(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await server.put(notes, onlyKnown: true))
  }

  func storeOrUpdate(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await server.put(notes))
  }

  func remove(_ notes: [Note]) async throws -> Response<[Note]> {
    Response(try await server.delete(notes))
  }
}
