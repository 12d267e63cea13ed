import Testing
import EvocationSQLite
