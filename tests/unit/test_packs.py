"""What is packed comes back as it was, and bytes that are not ours are refused."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.store import blocks, packs

small = st.integers(0, 300)
numbers = st.lists(st.one_of(small, st.integers(0, 2**40)), max_size=60)


def ints(values: list[int]) -> packs.Ints:
    return np.array(values, dtype=np.int64)


def flat(groups: list[list[int]]) -> tuple[packs.Ints, packs.Ints]:
    return ints([len(g) for g in groups]), ints([x for g in groups for x in g])


@given(numbers)
def test_varints_round_trip(values: list[int]) -> None:
    data, lengths = packs.encode_varints(ints(values))
    assert data.size == lengths.sum()
    assert packs.decode_varints(data.tobytes()).tolist() == values


@given(st.lists(st.lists(small, max_size=9), max_size=9))
def test_sums_start_anew_in_each_group(groups: list[list[int]]) -> None:
    counts, values = flat(groups)
    assert packs.sums(values, counts).tolist() == [sum(g) for g in groups]
    running = packs.running_sums(values, counts)
    assert running.tolist() == [sum(g[: i + 1]) for g in groups for i in range(len(g))]
    assert packs.differences(running, counts).tolist() == values.tolist()


row = st.tuples(small, st.integers(-5000, 5000), st.integers(0, 2**33))


@given(st.lists(st.lists(row, max_size=7), max_size=7))
def test_rows_round_trip(groups: list[list[tuple[int, int, int]]]) -> None:
    rows = ints([x for g in groups for r in g for x in r]).reshape(-1, 3)
    blobs = packs.encode_rows(rows, ints([len(g) for g in groups]), (1,))
    assert [blob == b"" for blob in blobs] == [not g for g in groups]
    back, counts = packs.decode_rows(blobs, 3, (1,))
    assert back.tolist() == rows.tolist()
    assert counts.tolist() == [len(g) for g in groups]


postings = st.dictionaries(st.integers(0, 100_000), st.integers(0, 400), min_size=1, max_size=40)


@given(st.lists(postings, max_size=12))
def test_postings_round_trip(terms: list[dict[int, int]]) -> None:
    counts, docs = flat([sorted(t) for t in terms])
    codes = ints([t[doc] for t in terms for doc in sorted(t)])
    data, sizes = packs.encode_postings(counts, docs, codes)
    back = packs.decode_postings(data, sizes)
    assert [part.tolist() for part in back] == [counts.tolist(), docs.tolist(), codes.tolist()]


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(
    st.just(n), st.lists(st.sets(st.integers(0, n - 1), min_size=1), max_size=12)
)))  # fmt: skip
def test_sets_round_trip_and_are_never_larger_than_a_bitmap(case: tuple[int, list[set[int]]]) -> None:
    total, groups = case
    counts, docs = flat([sorted(g) for g in groups])
    data, sizes = packs.encode_sets(counts, docs, total)
    assert all(size <= -(-total // 8) for size in sizes.tolist())
    back_counts, back = packs.decode_sets(data, sizes, total)
    assert back_counts.tolist() == counts.tolist()
    assert back.tolist() == docs.tolist()
    for piece, group in zip(packs.split(data, sizes), groups, strict=True):
        assert packs.decode_set(piece, total).tolist() == sorted(group)


@given(st.sets(st.integers(1, 2**31)))
def test_ids_round_trip(ids: set[int]) -> None:
    assert packs.decode_ids(packs.encode_ids(ints(sorted(ids)))).tolist() == sorted(ids)


@given(st.binary(max_size=60), st.lists(st.integers(0, 20), max_size=6))
def test_foreign_bytes_are_refused_or_decoded_but_never_crash(data: bytes, sizes: list[int]) -> None:
    for decode in (
        lambda: packs.decode_varints(data),
        lambda: packs.decode_rows([data], 3, (0,)),
        lambda: packs.decode_postings(data, ints(sizes)),
        lambda: packs.decode_sets(data, ints(sizes), 50),
        lambda: packs.decode_set(data, 50),
    ):
        try:
            decode()
        except packs.DamagedPack:
            pass


@pytest.mark.parametrize("data", [b"\x80", b"\x01\xff", b"\xff" * 12 + b"\x01"])
def test_integers_that_end_early_or_are_too_long_are_damage(data: bytes) -> None:
    with pytest.raises(packs.DamagedPack):
        packs.decode_varints(data)


def database() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE blocks (id INTEGER PRIMARY KEY, data BLOB)")
    db.execute("CREATE TABLE sections (pack, field, first, fences, PRIMARY KEY (pack, field))")
    return db


words = st.dictionaries(st.text(st.characters(blacklist_characters="\n", blacklist_categories=["Cs"]), min_size=1),
                        st.integers(0, 5000), max_size=40)  # fmt: skip


@settings(max_examples=40)
@given(words, st.text(max_size=2), st.text(max_size=2))
def test_blocks_find_every_key_and_read_every_range(terms: dict[str, int], low: str, high: str) -> None:
    low, high = low.replace("\n", ""), high.replace("\n", "")
    db, keys = database(), sorted(terms)
    pieces = [bytes([i % 251]) * terms[key] for i, key in enumerate(keys)]
    after = blocks.insert_section(db, 1, 0, 7, blocks.pack_blocks(keys, *packs.join(pieces)))
    section = blocks.read_sections(db)[0][1, 0]
    assert after == 7 + len(section.fences)
    held = blocks.read_words(db, range(7, after))
    for key, piece in zip(keys, pieces, strict=True):
        number = section.block_of(key)
        assert number is not None and held[number].piece(key) == piece
        assert (key + "x" in terms) or held[number].piece(key + "x") is None
    for end in (high, None):
        wanted = [key for key in keys if key >= low and (end is None or key < end)]
        got, data, sizes = blocks.read_range(db, section, low, end)
        assert got == wanted
        assert packs.split(data, sizes) == [pieces[keys.index(key)] for key in wanted]
    blocks.delete_packs(db, [1])
    assert db.execute("SELECT (SELECT count(*) FROM blocks) + (SELECT count(*) FROM sections)").fetchone() == (0,)


@given(st.sets(st.integers(0, 2**24 - 1), min_size=1, max_size=3000))
@settings(max_examples=10)
def test_blocks_of_trigrams(grams: set[int]) -> None:
    db, keys = database(), sorted(grams)
    pieces = [gram.to_bytes(4, "big") for gram in keys]
    after = blocks.insert_section(db, 3, 2, 1, blocks.pack_blocks(keys, *packs.join(pieces)))
    section = blocks.read_sections(db)[1][3]
    held = blocks.read_numbers(db, range(1, after))
    for gram in keys:
        number = section.block_of(gram)
        assert number is not None and held[number].piece(gram) == gram.to_bytes(4, "big")
