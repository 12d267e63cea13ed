expression(
    "An observed page is filled up from behind it", "ObservedAnswer.canFollow",
    "criteria.limit == nil && criteria.offset == 0 && criteria.cursor == nil",
    "criteria.offset == 0 && criteria.cursor == nil", "ObserveTests")
expression(
    "An observer is told of a model that no longer matches", "ObservedAnswer.isSame",
    "old == nil && new == nil", "new == nil", "ObserveTests")
expression(
    "A model that moves in the order is observed where it is now", "ObservedAnswer.take",
    "place != step.after?.place", "step.after == nil", "ObserveTests")
expression(
    "An observer never sees a change undone that its answer has already", "Observer.read",
    "changed > version", "true", "ObservationEndTests")
statement(
    "An observer of one condition or another is woken by either", "Criteria.Predicate.union",
    "return nil", "continue", "ObserverIndexTests")
expression(
    "Observers see what other connections commit", "ChangeWatch.compare",
    "version == nil || state.version != version", "false", "ChangeWatchTests")
expression(
    "A callback that waits in the queue when its observation ends is not called",
    "Evocation.Observation.calling", "if «!end.isReached» { callback(element) }", "true",
    "ObservingQueueTests")
expression(
    "Of two that observe first at once, one listens", "ObservationHub.listen",
    "state.source == nil, «state.beginning == nil»", "true", "ObservationHubTests")
statement(
    "One who observes while another begins to listen reads after that", "Observer.ask",
    "await hub.begun()", "", "ObservationHubTests")
expression(
    "A change of very many models is passed on without coding them", "ObservationHub.publish",
    "isLarge && areFew", "false", "ObservationHubTests")
expression(
    "A large change has those of many observers ask again whom it concerns", "ObservationHub.publish",
    "state.withLock { $0.index.count <= Self.few }", "true", "ObservationHubTests")
expression(
    "What a full-text index finds is asked for again after a change", "ObservedAnswer.canFollow",
    "criteria.predicate?.isOpaque != true", "true", "FullTextTests")
