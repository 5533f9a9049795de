'use strict';
const debug = require('debug')('app');
const { a, b: c } = require('./x');
var merge = require('utils').merge;
import D, { e as f, g } from './d.js';
import * as ns from 'ns';
export { h } from './h';
export * from './all';
require('side');

/**
 * Create an app.
 * @public
 */
exports = module.exports = createApplication;
function createApplication(opts) {
  const x = new Map(), app = function () {};
  app.use(merge, opts);
  return app;
}
app.use = function use(fn) { this.stack = 1; return lazy(fn); };
Foo.prototype.bar = function () { return ns.z(1); };
export default class Q extends D.Base {
  #p = 1;
  static async go() { await f(); }
  get size() { return this.#p; }
  handler = (e) => { g(e); };
}
export const K = 1, arrow = async (z) => { return debug(z); };
const obj = { run() { return a(c); }, ok: () => 1 };
it('x', () => { const local = 1; function helper() {} });
export function* gen() {}

/** Adds two. */
export function add(a, b) { return a + b; }
@logged
class Marked extends Q { count() { total += 1; return total; } }
let total = 0;
exports.limit = 3;
exports.pay = function (n) { return add(n, 1); };
Foo.prototype.kind = 'x';
Foo.LIMIT = 2;

const Named = class Inner extends mixin(Q) {};
ns.Later = class extends Q {};
const late = await import('./late.js');
const more = import('./more.js').then((m) => m.go());
@register('x')
class Told {}
async function wait() { (await total)(1); total++; }
run(function named() { return new Promise((done) => done(1)); });
const page = <Layout><Button label={late} /></Layout>;
