"""Module doc."""
import os, sys as s
import a.b.c
from . import x
from ..a.b import (c as d,
   e)
from m import *
from color import Color

LIMIT = 10
app: App = make_app()

# Says hello.
# More.
@app.get("/x")
@functools.wraps(f)
async def hello(a, b: "Foo" = 1, *c: int, **d) -> Optional[m.Foo]:
    """Doc of hello."""
    y = Bar()
    for i, j in e: pass
    with open(a) as fh, Lock() as lock:
        lock.acquire()
        y.run(LIMIT, hello, a)
        os.path.join(a).strip()
    super().foo()
    return Color.RED

class A(B[int], m.C, metaclass=Meta):
    """Class A doc."""
    x: List[int] = field()
    KIND = 1
    def __init__(self, n):
        self.n = n
        self.child = Child(n)
        self.n = 3
    @property
    def size(self) -> int: return self.child.len()
    def outer(self):
        global LIMIT
        LIMIT = 3
        def inner(q): return q(hello)
        return inner
type T[K] = A | B
def f2(): pass

type Pairs = list[tuple[int, str]]
first, second = 1, 2
(third, fourth) = 3, 4


def grow(table):
    global LIMIT
    LIMIT += 1
    return Table[int](table)
