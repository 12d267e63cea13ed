NEAREST = "Sources/Evocation/Schema/ModelSchema+Nearest.swift"

expression(
    "the key that is farthest is named as the nearest", NEAREST,
    "($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)",
    "($0.element.distance, $0.offset) > ($1.element.distance, $1.offset)",
    "ValuesTests.ModelSchemaTests")
expression(
    "two letters that were swapped count as two mistakes", NEAREST,
    "least = min(least, «older[column - 1] + 1»)", "older[column - 1] + 2",
    "ValuesTests.ModelSchemaTests")
expression(
    "a type that refuses what is absent is not tried with it present",
    "Sources/Evocation/Schema/ProbeInputs.swift",
    "static let all: [ProbeInputs] = «[true, false]»", "[true]",
    "EvocationTests")
statement(
    "a nested container that is filled later is left empty",
    "Sources/Evocation/Schema/FieldEncoder.swift",
    "for (index, encoder) in unfinished { replace(at: index, with: encoder.field) }", "",
    "ValuesTests.FieldEncoderTests")

EXAMPLES = "Sources/Evocation/Schema/SchemaProbe+Examples.swift"

expression(
    "a value of a struct is made of its bits", EXAMPLES,
    "return «Mirror(reflecting: value).displayStyle == .enum» ? value : nil", "true",
    "ValuesTests.ModelSchemaTests")
expression(
    "an enum that says which cases it has is asked for an example all the same", EXAMPLES,
    "return «firstOfAll(type) as? Value»", "nil",
    "ValuesTests.ModelSchemaTests")
