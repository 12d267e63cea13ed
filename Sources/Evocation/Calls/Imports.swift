// All files of this target stand on the targets below it, and so does everything that imports it.
@_exported public import EvocationStores
