// Package a is.
package a

import (
	"fmt"
	x "github.com/z/y"
	. "dot"
)

const (
	A = iota
	B
)

var ErrX = errors.New("x")
var def *Engine = New()

// Engine runs.
type Engine struct {
	RouterGroup
	*x.Pool
	Name, Other string
	handlers []HandlerFunc
}

type I interface {
	fmt.Stringer
	Do(a int) (x.T, error)
}
type HandlerFunc func(*Context)
type Alias = Engine

// ServeHTTP serves.
func (e *Engine) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	c := e.pool.Get().(*Context)
	c.reset(w, ErrX)
	e.Name = "x"
	for i, h := range e.handlers { h(c) }
	go func(z int) { var k = 2; e.handle(k) }(1)
}
func (e Engine[T]) V() map[string]int { return nil }

func New(opts ...OptionFunc) *Engine {
	engine := &Engine{Name: A, handlers: []HandlerFunc{Logger}}
	r := x.Pool{}
	y := x.NewPool()
	use(handler, Logger(), r)
	p := new(Thing); m := make(map[string]Foo)
	if v, ok := y.(Foo); ok { return v }
	Generic[int](engine)
	return engine
}
func handler(c *Context) {}
func TestX(t *testing.T) {}

type Boxed struct{ Box[int] }

func count(n *int) Box[int] {
	total++
	total--
	(helpers.Run)(n)
	return Box[int]{n}
}

var total = 0
