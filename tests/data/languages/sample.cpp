#include <vector>
namespace a::b {
using namespace std;
using std::vector;
template <typename T>
class Foo : public Base<T>, private ns::Other {
 public:
  Foo(int x) : x_(x) {}
  explicit Foo();
  ~Foo();
  virtual int run(const Bar& b) const = 0;
  int& ref();
  static Foo* make();
  Foo& operator=(const Foo&) = default;
 private:
  int x_ = 0;
  std::unique_ptr<Bar> bar_;
};
enum class Mode { A, B };
struct P { int a; };
using Alias = std::map<int, Foo<int>>;
template <class T> concept C = true;
int Foo<int>::run(const Bar& b) const { auto q = std::make_unique<Bar>(1); return b.go(q) + helper<int>(kMax); }
Bar::Bar() { this->x = new Thing(1); for (auto& z : items) z.go(); auto l = [&](int y){ return y; }; }
Bar& Bar::get() { static int n; return *this; }
constexpr int kMax = 3;
inline auto trailing() -> Foo { Foo f{1}; Foo g(2); return Foo{}; }
FMT_BEGIN_NAMESPACE
}

#define LIMIT 3
// How often.
int counter = 0;
struct Flag { operator bool() const; explicit operator int() { return 1; } };
inline void count() { counter = LIMIT; }

template <> class Holder<int> { int held; };
template <> struct Maker<int> { int made; };
struct outer::Inner { int deep; };
typedef std::vector<int> Numbers;
int grow(Holder<int>& h) { ++counter; h.get<int>(1); h.template get<int>(); return *new Holder<int>(); }
