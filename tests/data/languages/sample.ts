import type { T } from './t';
import { Base, IFace } from './b';
// Shape of x
@Component({ selector: 'a' })
export abstract class Foo<T> extends Base<T> implements IFace, ns.Other<T> {
  private readonly items: Map<string, T> = new Map();
  static count = 0;
  constructor(private svc: Service, opts?: Options) { super(); this.items.get("x"); }
  abstract run(a: number): Promise<T>;
  get size(): number { return 1; }
  handle = (e: Event): void => { this.svc.go(e as T); };
}
export interface I extends IFace { a: string; m(x: T): void }
enum E { A, B = 2 }
export const enum CE { X = "x" }
export type U = T | I & { x: number };
namespace NS { export function f(): Foo<any> { return null!; } }
declare module "x" { const y: string; }
function over(a: string): void;
export default over;
const x = y satisfies T;

/** How many. */
let counter = 0;
export function count() { counter += 1; return counter; }
declare function outside(a: string): void;
declare module Ambient { const inside: number; }
class Secret { #hidden = 1; }

class Later { over(a: string): void; over(a: any) {} }
type Shape = { area(): number; name: string };
class Mixed extends mix(Later) {}
interface Many extends Array<string>, ns.Base<string> {}
