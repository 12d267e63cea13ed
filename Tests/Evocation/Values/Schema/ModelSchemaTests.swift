import Evocation
import Foundation
import TestTraits
import Testing

@Suite(.patient) struct ModelSchemaTests {
  @Test func `properties come in the order of decoding, with kind and optionality`() throws {
    #expect(
      try described(Sampled.Plain.self) == [
        "flag: a Boolean", "int: a whole number", "small: a whole number",
        "large: a whole number", "word: a whole number", "real: a number", "float: a number",
        "price: a decimal number", "name: text", "id: a UUID", "link: a URL", "at: a date",
        "bytes: data", "nickname: text?", "seen: a date?",
      ])
    #expect(try kind("large", of: Sampled.Plain.self) == .scalar(.unsigned))
    #expect(try kind("word", of: Sampled.Plain.self) == .scalar(.integer))
  }

  @Test func `an enum is what its raw value is, and any JSON without one`() throws {
    #expect(
      try described(Sampled.Enums.self) == [
        "color: text", "other: text?", "level: a whole number", "only: text", "listed: text",
        "unraw: a value of any kind", "shape: a value of any kind",
        "maybeShape: a value of any kind?", "percent: a whole number",
        "options: a whole number",
      ])
  }

  @Test func `what is nested is an object, a list or any JSON`() throws {
    let schema = try ModelSchema.of(Sampled.Nested.self)
    let address = try ModelSchema.of(Sampled.Address.self)
    #expect(schema["home"]?.kind == .object(address))
    #expect(schema["work"] == .init(name: "work", kind: .object(address), isOptional: true))
    #expect(schema["names"]?.kind == .list(.scalar(.text)))
    #expect(schema["sets"]?.kind == .list(.scalar(.integer)))
    #expect(schema["colors"]?.kind == .list(.scalar(.text)))
    #expect(schema["homes"]?.kind == .list(.object(address)))
    #expect(schema["maybe"]?.kind == .list(.scalar(.integer)))
    #expect(schema["table"]?.kind == .json)
    #expect(schema["byColor"]?.kind == .json)
    #expect(schema["point"]?.kind == .list(.scalar(.real)))
    #expect(schema["range"]?.kind == .list(.scalar(.integer)))
    #expect(schema["nothing"] == nil)
  }

  @Test func `a type within itself is any JSON`() throws {
    #expect(try kind("children", of: Sampled.Tree.self) == .list(.json))
    #expect(try described(Sampled.Node.self) == ["name: text", "next: a value of any kind?"])
  }

  @Test func `a type that has itself in every value is refused`() {
    #expect(
      sentence(Sampled.Ring.self)
        == "Evocation cannot map Ring, because it contains itself without end.")
  }

  @Test func `classes tell of their superclass, in its own keys or among them`() throws {
    let animal = ModelSchema(
      model: "Dog", properties: [.init(name: "legs", kind: .scalar(.integer), isOptional: false)]
    )
    #expect(try described(Sampled.Dog.self) == ["name: text", "super: an object"])
    #expect(try kind("super", of: Sampled.Dog.self) == .object(animal))
    #expect(try described(Sampled.Cat.self) == ["lives: a whole number", "legs: a whole number"])
  }

  @Test func `coding keys, defaults and nested containers are followed`() throws {
    #expect(try described(Sampled.Keys.self) == ["updated_at: a date", "full name: text"])
    #expect(
      try described(Sampled.Defaults.self) == [
        "count: a whole number?", "tag: text?", "home: an object",
      ])
  }

  @Test func `property wrappers and generic types are what they code`() throws {
    #expect(try described(Sampled.Wrapped.self) == ["age: a whole number"])
    #expect(try kind("items", of: Sampled.Page<Int>.self) == .list(.scalar(.integer)))
    #expect(try kind("best", of: Sampled.Page<Date>.self) == .scalar(.date))
    #expect(try described(Sampled.Holder<Int?>.self) == ["value: a whole number?"])
  }

  @Test func `a type that takes several kinds is any JSON`() throws {
    #expect(try kind("value", of: Sampled.Holder<Sampled.Either>.self) == .json)
  }

  @Test func `a type that refuses is offered other values, or its example`() throws {
    #expect(try kind("value", of: Sampled.Holder<Refusing.Link>.self) == .scalar(.text))
    #expect(try kind("value", of: Sampled.Holder<Refusing.Example>.self) == .scalar(.text))
    #expect(
      try described(Refusing.Span.self) == [
        "from: a whole number", "to: a whole number", "note: text?", "by: an object?",
      ])
    #expect(
      try described(Refusing.Stubborn.self) == [
        "text: text", "count: a whole number", "parts: a list",
      ])
  }

  @Test func `a type that refuses everything is named, with the property and the mend`() {
    #expect(
      sentence(Refusing.Mailbox.self) == """
        Evocation cannot map the property "email" of Mailbox, because Email rejects every \
        example value; make Email conform to CodableExample.
        """)
    #expect(
      sentence(Sampled.Page<Refusing.Mailbox>.self) == """
        Evocation cannot map the property "items.email" of Page<Mailbox>, because Email rejects every \
        example value; make Email conform to CodableExample.
        """)
  }

  @Test func `no value is made of a type's bits, so what refuses is asked for an example`() {
    func mend(_ type: String) -> String {
      "Evocation cannot map the property \"value\" of Holder<\(type)>, because \(type) rejects "
        + "every example value; make \(type) conform to CodableExample."
    }
    #expect(sentence(Sampled.Holder<Refusing.Grade>.self) == mend("Grade"))
    #expect(sentence(Sampled.Holder<Refusing.Aloof>.self) == mend("Aloof"))
    #expect(sentence(Sampled.Holder<Refusing.Vector>.self) == mend("Vector"))
    #expect(sentence(Sampled.Holder<Refusing.Switch>.self) == mend("Switch"))
  }

  @Test func `an enum that says which cases it has needs no example`() throws {
    #expect(try kind("value", of: Sampled.Holder<Refusing.Lever>.self) == .scalar(.text))
  }

  @Test func `the standard library's vectors are lists of numbers`() throws {
    #expect(
      try kind("value", of: Sampled.Holder<SIMD3<Float>>.self) == .list(.scalar(.real)))
    #expect(
      try kind("value", of: Sampled.Holder<SIMD16<Int8>>.self) == .list(.scalar(.integer)))
  }

  @Test func `what has no keys is no model`() {
    #expect(
      sentence(Sampled.Empty.self)
        == "Evocation cannot map Empty, because it has no coding keys, or none that follow from its type alone."
    )
    #expect(
      sentence(Sampled.Shape.self)
        == "Evocation cannot map Shape, because it has no coding keys, or none that follow from its type alone."
    )
    #expect(
      sentence([Int].self)
        == "Evocation cannot map Array<Int>, because it is a list; use its elements, or wrap it in a struct."
    )
    #expect(
      sentence(Int.self)
        == "Evocation cannot map Int, because it is a single value; wrap it in a struct.")
  }

  @Test func `a schema is the same on every thread and every time`() async throws {
    let first = try ModelSchema.of(Sampled.Nested.self)
    await withTaskGroup(of: ModelSchema?.self) { group in
      for _ in 0..<8 { group.addTask { try? ModelSchema.of(Sampled.Nested.self) } }
      for await other in group { #expect(other == first) }
    }
  }

  private func described<Model: Decodable>(_ type: Model.Type) throws -> [String] {
    try ModelSchema.of(type).properties.map {
      "\($0.name): \($0.kind)\($0.isOptional ? "?" : "")"
    }
  }

  private func kind<Model: Decodable>(
    _ name: String, of type: Model.Type
  ) throws -> ModelSchema.Kind? {
    try ModelSchema.of(type)[name]?.kind
  }

  private func sentence<Model: Decodable>(_ type: Model.Type) -> String? {
    do {
      _ = try ModelSchema.of(type)
      return nil
    } catch {
      return error.description
    }
  }
}
