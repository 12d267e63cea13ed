import EvocationSQLite
import Testing
