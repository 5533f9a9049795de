//! Crate doc
use std::collections::{HashMap, hash_map::{self, Entry}};
use crate::a::b as c;
use super::*;
pub use self::inner::Thing;
extern crate foo;
mod sub;
pub mod inner {
    pub struct Thing;
    fn f() {}
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn t_works() { assert_eq!(make(), MAX); }
}
/// A router.
///
/// Long.
#[derive(Clone, Debug)]
pub struct Router<S = ()> {
    inner: Arc<RouterInner<S>>,
    pub name: String,
}
pub enum E { A, B(u8), C { x: i32 } }
pub trait Service<R>: Send + Base {
    type Error;
    const N: usize;
    fn call(&mut self, r: R) -> Result<(), Self::Error>;
    fn d(&self) { self.call(1) }
}
impl<S> Service<Req> for Router<S> where S: Clone {
    type Error = Infallible;
    fn call(&mut self, r: Req) -> Result<(), Error> {
        let x = Foo::new(MAX);
        let y: Bar = Bar { a: r, b };
        x.run(handler)?; y.inner.go::<T>();
        match r { Method::GET => E::A, MAX => z, _ => self.name.len() };
        helper(y); crate::a::go(); self.name = r; vec![x];
        let q = get(x).await?;
        Ok(())
    }
}
impl Router { pub async fn new() -> Self { Self { inner } } }
pub const MAX: usize = 3;
static ref_x: Lazy<Foo> = Lazy::new(|| 1);
type R<T> = std::result::Result<T, E>;
macro_rules! my { () => {} }
pub(crate) fn helper<T: Bound>(t: &T) -> Option<Box<dyn Foo>> { my!(t) }
unsafe extern "C" fn ext() {}
#[tokio::main]
async fn main() {}

union Bits { a: u32, b: f32 }
trait Wide: Into<String> {}
impl crate::a::Plain for Bits {}
impl Service for Bits {}
fn grow(mut t: Router) { t.count += 1; Wrapper::<u32> { inner: 1 }; }
