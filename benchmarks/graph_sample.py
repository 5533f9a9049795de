"""A sample of resolved references to check by reading: each with its line, and the line of the definition it got.

    python benchmarks/graph_sample.py ROOT LANGUAGE N [--certainty certain] [--kinds call,construct,…] [--seed 1]

The same seed over the same tree gives the same references, whatever else is resolved. What was found by reading such
samples stands in graph_samples.md.
"""

from __future__ import annotations

import argparse
import zlib
from collections import Counter
from pathlib import Path

from graph_truth import read_project  # type: ignore[import-not-found,unused-ignore]

_ALIKE = {"c": ("c", "cpp"), "javascript": ("javascript", "typescript", "tsx")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=Path)
    parser.add_argument("language")
    parser.add_argument("n", type=int)
    parser.add_argument("--certainty", default="certain")
    parser.add_argument("--kinds", default="call,construct,inherit,implement,decorate,read,write")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", default="", help="leave out paths that contain this")
    options = parser.parse_args()
    project = read_project(options.root, _ALIKE.get(options.language, (options.language,)))
    paths = {file_id: path for file_id, path, _language, _module in project.graph.files}
    symbols = {symbol[0]: symbol for symbol in project.graph.symbols}
    wanted = set(options.kinds.split(","))
    counts: Counter[str] = Counter()
    chosen = []
    for row in project.graph.references:
        edges = project.edges.get(row[0])
        if row[3] in wanted:
            counts[edges[0][4] if edges else "outside"] += 1
        if row[3] not in wanted or not edges or edges[0][4] != options.certainty:
            continue
        if options.skip and options.skip in paths[row[1]]:
            continue
        key = zlib.crc32(f"{options.seed}:{paths[row[1]]}:{row[4]}:{row[5]}:{row[2]}".encode())
        chosen.append((key, row, edges))
    chosen.sort(key=lambda item: item[0])
    print(f"{len(project.graph.files)} files, references: {dict(counts)}")
    for number, (_key, row, edges) in enumerate(chosen[: options.n], 1):
        _id, file_id, name, _kind, line, column, holder, receiver = row
        code = project.texts[paths[file_id]][line - 1]
        before = code[:column].decode("utf-8", "replace").strip()[-60:]
        after = code[column:].decode("utf-8", "replace").strip()[:60]
        dotted = f"{receiver}.{name}" if receiver else name
        print(f"{number}. {paths[file_id]}:{line} {edges[0][3]} {dotted} in {symbols[holder][3] or 'module'}")
        print(f"     {before}»{after}")
        for edge in edges[:3]:
            target = symbols[edge[2]]
            path, target_line = project.place[edge[2]]
            text = project.texts[path][max(target_line, 1) - 1].decode("utf-8", "replace").strip()[:90]
            print(f"   → {path}:{target_line} {target[4]} {target[3]} | {text}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
