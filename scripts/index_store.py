"""Reads the index that the compiler writes while it builds: who defines what, and who refers to it.

It calls `libIndexStore` of the toolchain, by the C interface of LLVM's `indexstore.h`. An index is a folder
of units, one for each file that was compiled, each of which names a record with the file's occurrences of
symbols. A symbol has one USR in all records.
"""

import ctypes
import shutil
from collections import namedtuple
from pathlib import Path

DEFINITION, REFERENCE = 1 << 1, 1 << 2
RECORD = 2  # among the kinds of what a unit depends on

Occurrence = namedtuple("Occurrence", "usr name roles line")


class Text(ctypes.Structure):
    """A text of the library: it belongs to the reader that returned it."""

    _fields_ = [("data", ctypes.POINTER(ctypes.c_char)), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode("utf-8", "replace")


WITH_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
WITH_OBJECT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)
POINTER, UNSIGNED = ctypes.c_void_p, ctypes.c_uint

FUNCTIONS = {
    "store_create": (POINTER, [ctypes.c_char_p, POINTER]),
    "store_dispose": (None, [POINTER]),
    "store_units_apply_f": (ctypes.c_bool, [POINTER, UNSIGNED, POINTER, WITH_TEXT]),
    "unit_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "unit_reader_dispose": (None, [POINTER]),
    "unit_reader_get_module_name": (Text, [POINTER]),
    "unit_reader_dependencies_apply_f": (ctypes.c_bool, [POINTER, POINTER, WITH_OBJECT]),
    "unit_dependency_get_kind": (ctypes.c_int, [POINTER]),
    "unit_dependency_get_name": (Text, [POINTER]),
    "unit_dependency_get_filepath": (Text, [POINTER]),
    "record_reader_create": (POINTER, [POINTER, ctypes.c_char_p, POINTER]),
    "record_reader_dispose": (None, [POINTER]),
    "record_reader_occurrences_apply_f": (ctypes.c_bool, [POINTER, POINTER, WITH_OBJECT]),
    "occurrence_get_symbol": (POINTER, [POINTER]),
    "occurrence_get_roles": (ctypes.c_uint64, [POINTER]),
    "occurrence_get_line_col": (None, [POINTER, ctypes.POINTER(UNSIGNED), ctypes.POINTER(UNSIGNED)]),
    "symbol_get_usr": (Text, [POINTER]),
    "symbol_get_name": (Text, [POINTER]),
}


class IndexStore:
    """The index of a build, which lies in `index/store` of its folder."""

    def __init__(self, path):
        compiler = shutil.which("swiftc")
        library = Path(compiler).resolve().parent.parent / "lib/libIndexStore.so" if compiler else None
        if not library or not library.exists():
            raise OSError(f"There is no {library or 'swiftc'}; install the whole toolchain of Swift.")
        functions = ctypes.CDLL(str(library))
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(functions, f"indexstore_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.store = self.store_create(str(path).encode(), None)
        if not self.store:
            raise OSError(f"{path} is no index; build the tests first.")

    def units(self):
        """The names of all units."""
        found = []
        self.store_units_apply_f(self.store, 0, None, WITH_TEXT(lambda _, name: found.append(str(name)) or True))
        return found

    def records(self, module):
        """The record of each file of a module, by the file."""
        found = {}
        for unit in self.units():
            reader = self.unit_reader_create(self.store, unit.encode(), None)
            if not reader:
                continue
            if str(self.unit_reader_get_module_name(reader)) == module:

                def depend(_, dependency):
                    if self.unit_dependency_get_kind(dependency) == RECORD:
                        file = str(self.unit_dependency_get_filepath(dependency))
                        found[file] = str(self.unit_dependency_get_name(dependency))
                    return True

                self.unit_reader_dependencies_apply_f(reader, None, WITH_OBJECT(depend))
            self.unit_reader_dispose(reader)
        return found

    def occurrences(self, record):
        """All that a record says of symbols."""
        reader, found = self.record_reader_create(self.store, record.encode(), None), []
        if not reader:
            return found
        line, column = UNSIGNED(), UNSIGNED()

        def occur(_, occurrence):
            symbol = self.occurrence_get_symbol(occurrence)
            self.occurrence_get_line_col(occurrence, line, column)
            found.append(Occurrence(
                str(self.symbol_get_usr(symbol)), str(self.symbol_get_name(symbol)),
                self.occurrence_get_roles(occurrence), line.value))
            return True

        self.record_reader_occurrences_apply_f(reader, None, WITH_OBJECT(occur))
        self.record_reader_dispose(reader)
        return found
