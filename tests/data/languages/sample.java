package a.b;
import java.util.List;
import static a.C.*;
/** Doc. */
@Deprecated
@Foo(x = 1)
public class A<T> extends B<T> implements C, D<T> {
  private static final int MAX = 3, MIN = 1;
  List<Foo> items;
  /** Makes. */
  public A(int x) { super(x); this.items = new ArrayList<>(); }
  @Override public <K> List<K> get(Map<String, K> m) throws IOException {
    var f = m.get("x").foo(MAX);
    int local = helper(m);
    Runnable r = () -> go(local);
    list.stream().map(A::conv);
    return a.b.Util.of(f, this.items, MAX);
  }
  enum E { ONE, TWO { void x() {} }; }
  interface I extends J { void m(); }
  record R(int a, String b) {}
  @interface Ann { String value() default ""; }
}

record Range(int low, int high) { Range { check(low); } }
interface Limits extends Comparable<Range> { int MOST = 10; }
class Wide extends Narrow { int n; void grow() { n++; new Narrow(); } }
class Tasks {
  Runnable plain = new Runnable() { public void run() { step(); } };
  Job<String> typed() { return new Job<String>() { int n; public String of() { n++; return label(); } }; }
}
