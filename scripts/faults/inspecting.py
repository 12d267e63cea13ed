expression(
    "An inspection has no values until they are asked for", "AnyProxy.inspected",
    "«showsValues» ? await values(wiring.local) : nil", "true", "InspectionTests|InspectionSecrecyTests")
expression(
    "An inspection has no values of criteria until they are asked for", "AnyProxy.queries",
    "LogText.of(criteria, showsValues: «showsValues»)", "true", "InspectionSecrecyTests")
statement(
    "An inspection has no ids, models or reasons of entries until they are asked for", "Inspection.Entry.init",
    "guard showsValues else { return }", "", "InspectionTests|InspectionSecrecyTests")
statement(
    "Signing out forgets the calls of the user", "Emptying.show",
    "environment.recent.forget()", "",
    "InspectionTests")
expression(
    "A call that ends after its user has signed out is in no inspection", "RecentCalls.add",
    "!session.isOver", "true", "InspectionSignOutTests")
expression(
    "Only 20 calls of each model type are kept", "RecentCalls.add",
    "surplus > 0", "false", "InspectionTests")
expression(
    "Inspections follow each other only when something has changed", "Inspection.differs",
    "self != other", "true", "InspectionsTests")
expression(
    "An inspection tells a query that reads a whole table", "AnyProxy.queries",
    "criteria.predicate != nil && «plan.contains(where: \\.isScan)»", "false", "InspectingTests")
