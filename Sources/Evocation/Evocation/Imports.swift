// An app imports this module alone, and has everything below it.
@_exported public import EvocationCaching
@_exported public import EvocationOutbox
