"""Which file, folder or nothing of the root an import names.

A module is the id of its file's module symbol; a folder that has none is its path with a ``/`` at the end (a Python
namespace package, a Go or Java package). `OUTSIDE` is a module that is not in the root.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from fourfold.indexing.resolve.families import family_of, outside
from fourfold.indexing.resolve.tables import Tables
from fourfold.store.interface import GraphInput

#: A symbol id, minus a type's id for an instance of it, a folder, `OUTSIDE`, or None for "not known".
Thing = int | str | None
OUTSIDE = 0

_SOURCE_FOLDERS = ("", "src/", "lib/", "Lib/", "python/")
_JS_ENDS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte")
_JS_WORKSPACES = frozenset({"packages", "libs", "apps", "modules", "plugins", "crates", "workspaces"})
_RUST_ROOTS = ("lib.rs", "main.rs")
#: Manifest → the family of the package's code, and the keys that say what it is called.
_MANIFESTS = {"Cargo.toml": ("rust", ("package.name", "lib.name")), "package.json": ("javascript", ("name",))}


class Modules:
    """Finds modules by how each family of languages names them. All answers are remembered."""

    def __init__(self, graph: GraphInput, tables: Tables) -> None:
        self.tables = tables
        self.by_path: dict[str, int] = {}
        #: family → stem of the file → (path, module symbol)
        self.stems: dict[str, dict[str, list[tuple[str, int]]]] = defaultdict(lambda: defaultdict(list))
        self.folders: set[str] = set()
        self.python_folders: set[str] = set()
        #: folder → module symbols of the files right in it, by family
        self.in_folder: dict[tuple[str, str], list[int]] = defaultdict(list)
        self.folders_named: dict[str, list[str]] = defaultdict(list)
        for file_id, path, language, _module in graph.files:
            symbol = tables.module_of.get(file_id)
            if symbol is None:
                continue
            self.by_path[path] = symbol
            folder, _, name = path.rpartition("/")
            folder = folder + "/" if folder else ""
            family = family_of(language)
            self.stems[family][name.partition(".")[0]].append((path, symbol))
            self.in_folder[(folder, family)].append(symbol)
            above = folder
            while above not in self.folders:
                self.folders.add(above)
                self.folders_named[above.rstrip("/").rpartition("/")[2]].append(above)
                above = _up(above)
            while family == "python" and folder not in self.python_folders:
                self.python_folders.add(folder)
                folder = _up(folder)
        # Whatever the order of the files, the same folder or file is found.
        for modules in self.in_folder.values():
            modules.sort(key=lambda symbol: tables.path[tables.file[symbol]])
        for folders in self.folders_named.values():
            folders.sort()
        #: what a manifest calls a package → the folder of the manifest, by family
        self.packages = self._packages()
        self.root_package = self._root_package(graph)
        self.python_tops = self._python_tops()
        self.go_prefixes = self._go_prefixes(graph)
        self.memo: dict[tuple[str, str, str, int], Thing] = {}

    def _packages(self) -> dict[tuple[str, str], str]:
        tables = self.tables
        found: dict[tuple[str, str], str] = {}
        manifests = {file for file, path in tables.path.items() if path.rpartition("/")[2] in _MANIFESTS}
        for symbol, name in tables.type_name.items() if manifests else ():
            if tables.file[symbol] in manifests and tables.kind[symbol] == "key":
                path = tables.path[tables.file[symbol]]
                family, said_by = _MANIFESTS[path.rpartition("/")[2]]
                if tables.qualified[symbol] in said_by:
                    name = name.replace("-", "_") if family == "rust" else name
                    found[(family, name)] = min(_up(path), found.get((family, name), _up(path)), key=_depth)
        return found

    # ------------------------------------------------------------------ entry

    def find(self, file_id: int, module: str, level: int = 0) -> Thing:
        """What ``module`` means in a file: a module symbol, a folder, `OUTSIDE`, or None when that cannot be told."""
        family = self.tables.family[file_id]
        path = self.tables.path[file_id]
        folder = _up(path)
        # Rust's `self` and Python's sibling scripts depend on the file, the others on the folder at the most.
        key = (family, path if family == "rust" else folder, module, level)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = found = self._find(family, path, folder, module, level)
        return found

    def _find(self, family: str, path: str, folder: str, module: str, level: int) -> Thing:
        if family == "python":
            return self._python(folder, module, level)
        if family == "javascript":
            return self._javascript(folder, module)
        if family == "go":
            return self._go(module)
        if family == "rust":
            return self._rust(path, module)
        if family == "java":
            return self._package(module, family)
        if family == "c":
            return self._include(folder, module)
        return self._by_suffix(family, folder, module)

    def child(self, thing: Thing, name: str, family: str) -> Thing:
        """The module or folder ``name`` inside a package or folder; None when there is none."""
        folder = self.folder_of(thing)
        if folder is None:
            return None
        if family == "python":
            return self._python_at(folder, [name])
        if family == "rust":
            return self._rust_at(folder, [name])
        return folder + name + "/" if folder + name + "/" in self.folders else None

    def folder_of(self, thing: Thing) -> str | None:
        """The folder whose files are the parts of a package, or None for a plain module."""
        if isinstance(thing, str):
            return thing
        if not thing or thing < 0:
            return None
        file_id = self.tables.file.get(thing)
        path = self.tables.path.get(file_id, "") if file_id is not None else ""
        folder, name = _up(path), path.rpartition("/")[2]
        stem = name.partition(".")[0]
        if stem in ("__init__", "mod", "index") or name in _RUST_ROOTS:
            return folder
        return folder + stem + "/" if name.endswith(".rs") else None

    # ------------------------------------------------------------------ Python

    def _root_package(self, graph: GraphInput) -> str:
        """The name of the package that the root folder itself is, if it is one and its files say so."""
        for _file_id, path, _language, module in graph.files:
            if path == "__init__.py":
                return module
        return ""

    def _python_tops(self) -> dict[str, list[str]]:
        """Name of a top-level package → folders that hold it."""
        tops: dict[str, list[str]] = defaultdict(list)
        for path in self.by_path:
            if path.endswith("/__init__.py"):
                folder = _up(path)
                above = _up(folder)
                if f"{above}__init__.py" not in self.by_path:
                    tops[folder.rstrip("/").rpartition("/")[2]].append(above)
        return tops

    def _python(self, folder: str, module: str, level: int) -> Thing:
        parts = module.split(".") if module else []
        if level:
            for _ in range(level - 1):
                if not folder:
                    return OUTSIDE
                folder = _up(folder)
            return self._python_at(folder, parts) if parts else self._package_at(folder)
        if not parts:
            return None
        first = parts[0]
        standard = first in sys.stdlib_module_names
        base = folder
        while f"{base}__init__.py" in self.by_path and base:
            base = _up(base)
        while True:
            if not standard or base in _SOURCE_FOLDERS:
                found = self._python_at(base, parts)
                if found is not None:
                    return found
                if self._python_at(base, [first]) is not None and not isinstance(self._python_at(base, [first]), str):
                    return None
            if not base:
                break
            base = _up(base)
        if self.root_package and first == self.root_package:
            return self._python_at("", parts[1:]) if parts[1:] else self._package_at("")
        for base in _SOURCE_FOLDERS:
            found = self._python_at(base, parts)
            if found is not None:
                return found
        if not standard:
            tops = self.python_tops.get(first, [])
            if len(tops) == 1:
                return self._python_at(tops[0], parts)
            if tops:
                nearest = max(sorted(tops), key=lambda top: (_shared(top, folder), -len(top)))
                return self._python_at(nearest, parts)
        return OUTSIDE

    def _python_at(self, base: str, parts: list[str]) -> Thing:
        path = base + "/".join(parts)
        for end in (".py", "/__init__.py", ".pyi", "/__init__.pyi", ".pyx"):
            symbol = self.by_path.get(path + end)
            if symbol is not None:
                return symbol
        return path + "/" if path + "/" in self.python_folders else None

    def _package_at(self, folder: str) -> Thing:
        for end in ("__init__.py", "__init__.pyi"):
            symbol = self.by_path.get(folder + end)
            if symbol is not None:
                return symbol
        return folder

    # ------------------------------------------------------------------ JavaScript and TypeScript

    def _javascript(self, folder: str, module: str) -> Thing:
        module = module.split("?")[0]
        if module.startswith("."):
            return self._javascript_at(_join(folder, module)) or OUTSIDE
        if module[:2] in ("@/", "~/"):
            rest = module[2:]
            base = folder
            while True:
                found = self._javascript_at(base + "src/" + rest) or self._javascript_at(base + rest)
                if found or not base:
                    return found or OUTSIDE
                base = _up(base)
        name, _, rest = module.partition("/")
        if name.startswith("@"):
            scope, (name, _, rest) = name, rest.partition("/")
            said = f"{scope}/{name}"
        else:
            said = name
        folder_of = self.packages.get(("javascript", said))
        if folder_of is not None:
            for inner in (f"{rest}/src/", f"{rest}/") if rest else ():
                found = self._javascript_at(folder_of + inner + "index")
                if found:
                    return found
            for inner in ("src/", "", "lib/"):
                found = self._javascript_at(folder_of + inner + rest)
                if found:
                    return found
        for package in self.folders_named.get(name, []):
            if _up(package).rstrip("/").rpartition("/")[2] in _JS_WORKSPACES:
                for inner in ("src/", "", "lib/"):
                    found = self._javascript_at(package + inner + rest)
                    if found:
                        return found
        for base in ("", "src/"):
            if "/" in module and base + name + "/" in self.folders:
                found = self._javascript_at(base + module)
                if found:
                    return found
        return OUTSIDE

    def _javascript_at(self, path: str) -> int:
        path = path.rstrip("/")
        symbol = self.by_path.get(path)
        if symbol is not None:
            return symbol
        for end in _JS_ENDS:
            symbol = self.by_path.get(path + end)
            if symbol is not None:
                return symbol
        for written, real in ((".js", (".ts", ".tsx", ".d.ts")), (".jsx", (".tsx",)), (".mjs", (".mts", ".d.mts")),
                              (".cjs", (".cts", ".d.cts"))):  # fmt: skip
            if path.endswith(written):
                for end in real:
                    symbol = self.by_path.get(path.removesuffix(written) + end)
                    if symbol is not None:
                        return symbol
        for end in _JS_ENDS:
            symbol = self.by_path.get((path + "/" if path else "") + "index" + end)
            if symbol is not None:
                return symbol
        return 0

    # ------------------------------------------------------------------ Go

    def _go_prefixes(self, graph: GraphInput) -> tuple[str, ...]:
        """The module paths of the root, learnt from which prefix makes most imports name a folder of the root.

        go.mod is not read here: an import path that ends with a folder's path votes for the prefix before it.
        """
        folders = {folder.rstrip("/") for folder, family in self.in_folder if family == "go"}
        votes: Counter[str] = Counter()
        seen: set[str] = set()
        for file_id, module, *_rest in graph.imports:
            if self.tables.family.get(file_id) != "go" or module in seen:
                continue
            seen.add(module)
            parts = module.split("/")
            for cut in range(1, len(parts)):
                if "/".join(parts[cut:]) in folders:
                    votes["/".join(parts[:cut])] += 1
        known = [(count, prefix) for prefix, count in votes.items() if "." in prefix.split("/")[0]]
        if not known:
            return ()
        best = max(known, key=lambda item: (item[0], len(item[1])))
        # A prefix that only extends or shortens the best one explains the same imports less well.
        return (best[1],)

    def _go(self, module: str) -> Thing:
        for prefix in self.go_prefixes:
            if module == prefix:
                return "" if self.in_folder.get(("", "go")) else OUTSIDE
            if module.startswith(prefix + "/"):
                folder = module[len(prefix) + 1 :] + "/"
                return folder if folder in self.folders else OUTSIDE
        return OUTSIDE

    # ------------------------------------------------------------------ Rust

    def _rust_root(self, path: str) -> str:
        """The folder of the crate that a file belongs to: the nearest one above with lib.rs or main.rs."""
        folder = _up(path)
        while True:
            if any(folder + name in self.by_path for name in _RUST_ROOTS):
                return folder
            if not folder:
                return _up(path)
            folder = _up(folder)

    def _rust(self, path: str, module: str) -> Thing:
        parts = [part for part in module.replace("::", ".").split(".") if part]
        if not parts:
            return None
        folder, name = _up(path), path.rpartition("/")[2]
        own = folder if name in ("mod.rs", *_RUST_ROOTS) else folder + name.removesuffix(".rs") + "/"
        first, rest = parts[0], parts[1:]
        if first == "crate":
            return self._rust_at(self._rust_root(path), rest)
        if first == "self":
            return self._rust_at(own, rest) if rest else self.by_path.get(path)
        if first == "super":
            base = _up(own)
            while rest and rest[0] == "super":
                base, rest = _up(base), rest[1:]
            return self._rust_at(base, rest)
        for found in self._crates(first):
            for source in (found + "src/", found):
                if any(source + root in self.by_path for root in _RUST_ROOTS):
                    return self._rust_at(source, rest)
        found_here = self._rust_at(own, parts)
        return OUTSIDE if found_here is None else found_here

    def _crates(self, name: str) -> list[str]:
        """The folders of a crate: as the manifests say, or those of its name where there are none."""
        known = self.packages.get(("rust", name))
        if known is not None:
            return [known]
        if any(family == "rust" for family, _name in self.packages):
            return []
        return [folder for spelled in (name, name.replace("_", "-")) for folder in self.folders_named.get(spelled, [])]

    def _rust_at(self, base: str, parts: list[str]) -> Thing:
        if not parts:
            for name in ("lib.rs", "mod.rs", "main.rs"):
                symbol = self.by_path.get(base + name)
                if symbol is not None:
                    return symbol
            return self.by_path.get(base.rstrip("/") + ".rs") if base else None
        path = base + "/".join(parts)
        for end in (".rs", "/mod.rs"):
            symbol = self.by_path.get(path + end)
            if symbol is not None:
                return symbol
        return None

    # ------------------------------------------------------------------ the rest

    def _package(self, module: str, family: str) -> Thing:
        """Java, Kotlin, Scala: a folder whose path ends with the package, else a file that does."""
        parts = [part for part in module.replace("/", ".").split(".") if part and part != "_"]
        if not parts:
            return None
        matches = self._folders_ending(parts, family)
        if matches:
            return matches[0] if len(matches) == 1 else "|".join(matches)
        stem = parts[-1]
        wanted = "/" + "/".join(parts)
        for path, symbol in sorted(self.stems[family].get(stem, [])):
            if ("/" + path).partition(".")[0].endswith(wanted):
                return symbol
        # Kotlin's convention leaves the common root package out of the folders; two parts must still agree.
        for cut in range(1, max(len(parts) - 1, 1)):
            matches = self._folders_ending(parts[cut:], family)
            if matches and len(parts) - cut >= 2:
                return matches[0] if len(matches) == 1 else "|".join(matches)
        return OUTSIDE

    def _folders_ending(self, parts: list[str], family: str) -> list[str]:
        wanted = "/" + "/".join(parts) + "/"
        return [
            folder
            for folder in self.folders_named.get(parts[-1], [])
            if ("/" + folder).endswith(wanted) and self.in_folder.get((folder, family))
        ]

    def _include(self, folder: str, module: str) -> Thing:
        module = module.strip('<>"')
        symbol = self.by_path.get(_join(folder, module))
        if symbol is not None:
            return symbol
        if module in outside("c").headers:
            return OUTSIDE
        stem = module.rpartition("/")[2].partition(".")[0]
        wanted = "/" + module.replace("../", "")
        matches = [(path, symbol) for path, symbol in self.stems["c"].get(stem, []) if ("/" + path).endswith(wanted)]
        if not matches:
            return OUTSIDE
        return max(sorted(matches), key=lambda match: (_shared(match[0], folder), -len(match[0])))[1]

    def _by_suffix(self, family: str, folder: str, module: str) -> Thing:
        """Any other language: a file whose path ends with the module's parts, the nearest one first."""
        text = module.strip("'\"<>")
        if text.startswith("."):
            path = _join(folder, text)
            candidates = self.stems[family].get(path.rpartition("/")[2].partition(".")[0], [])
            for candidate, symbol in candidates:
                if candidate == path or candidate.rpartition(".")[0] == path:
                    return symbol
            return OUTSIDE
        for mark in ("::", "\\", "/") if "/" not in text else ("::", "\\"):
            text = text.replace(mark, ".") if mark != "/" else text
        if "/" in text:
            stem_part, _, _end = text.rpartition("/")[2].partition(".")
            parts = [*text.split("/")[:-1], stem_part]
        else:
            for end in (".rb", ".php", ".lua", ".sh", ".bash", ".zig", ".ex", ".hs"):
                text = text.removesuffix(end)
            parts = [part for part in text.split(".") if part]
        if not parts:
            return None
        for spelled in (parts, [_snake(part) for part in parts]):
            # PHP's autoloading leaves the vendor's part of a namespace out of the path.
            for cut in range(len(parts) if family in ("php", "lua") else 1):
                found = self._nearest(family, folder, spelled[cut:])
                if found and (len(spelled) - cut > 1 or len(parts) == 1 or not cut):
                    return found
        return OUTSIDE

    def _nearest(self, family: str, folder: str, parts: list[str]) -> int:
        wanted = "/" + "/".join(parts)
        best, best_rank = 0, (-1, 0, "")
        for stem in (parts[-1], "init"):
            tail = wanted if stem == parts[-1] else wanted + "/init"
            for path, symbol in self.stems[family].get(stem, []):
                if ("/" + path).partition(".")[0].endswith(tail):
                    rank = (_shared(path, folder), -len(path), path)
                    if rank > best_rank:
                        best, best_rank = symbol, rank
        return best


def _up(folder: str) -> str:
    """The folder above a path or folder; both end with ``/`` or are empty (the root)."""
    above = folder.rstrip("/").rpartition("/")[0]
    return above + "/" if above else ""


def _join(folder: str, relative: str) -> str:
    """``relative`` seen from ``folder``, without dots; a path that leaves the root keeps a leading ``..``."""
    parts = [part for part in folder.split("/") if part]
    for part in relative.split("/"):
        if part == "..":
            if not parts or parts[-1] == "..":
                parts.append("..")
            else:
                parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def _depth(folder: str) -> tuple[int, str]:
    return folder.count("/"), folder


def _shared(path: str, folder: str) -> int:
    """How many leading folders two paths share."""
    count = 0
    for left, right in zip(path.split("/"), folder.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i and not name[i - 1].isupper() else c.lower()
                   for i, c in enumerate(name))  # fmt: skip
