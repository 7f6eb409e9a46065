import asyncHooks from 'node:async_hooks';

type Callbacks = Parameters<typeof asyncHooks.createHook>[0];
type InScope = (fn: (...given: unknown[]) => unknown, thisArg: unknown, ...args: unknown[]) => unknown;

/**
 * Has node:test find out by other means which test some code belongs to. It watches every promise from its making to its end, in
 * order to know; where servers live in the process of their tests that is a tenth to a third of what their JavaScript costs. An
 * `AsyncLocalStorage` says the same and costs nothing.
 *
 * It has to be called before node:test is loaded. Tests of test-step.ts show that tests are nested, and faults told of, as ever.
 */
export function disablePromiseHooks(): void {
  const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks;
  const current = new AsyncLocalStorage<number>();
  let note: Callbacks['init'];

  /** What node:test calls once, to see everything that is made. */
  asyncHooks.createHook = (callbacks) => {
    if (note !== undefined || callbacks.init === undefined) return createHook(callbacks);
    note = callbacks.init;
    const idle = { enable: () => idle, disable: () => idle };
    return idle;
  };
  asyncHooks.executionAsyncId = () => current.getStore() ?? executionAsyncId();

  const noted = new WeakSet<object>();
  const runInScope = AsyncResource.prototype.runInAsyncScope as InScope;
  const runNoted: InScope = function (this: InstanceType<typeof AsyncResource>, fn, thisArg, ...args) {
    if (!testClasses.has(this.constructor.name)) return runInScope.call(this, fn, thisArg, ...args);
    const id = this.asyncId();
    if (!noted.has(this)) note?.(id, this.constructor.name, 0, this);
    noted.add(this);
    const within = (...given: unknown[]): unknown => current.run(id, () => fn.apply(thisArg, given));
    return runInScope.call(this, within, undefined, ...args);
  };
  AsyncResource.prototype.runInAsyncScope = runNoted as typeof AsyncResource.prototype.runInAsyncScope;
}

/** What node:test runs functions in. */
const testClasses: ReadonlySet<string> = new Set(['Test', 'Suite', 'TestHook']);
