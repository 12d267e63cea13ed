ERROR = "Sources/Evocation/Vocabulary/EvocationError.swift"

expression(
    "a remote that is missing is the same error as a missing local", ERROR,
    "«[\"missingRepository\", type.rawValue]»", "[\"missingRepository\"]",
    "ValuesTests.EvocationErrorIdentityTests")
expression(
    "an error without a payload equals only that of one repository", ERROR,
    "«model == anyModel || other == anyModel»", "false",
    "ValuesTests.EvocationErrorIdentityTests")
