import asyncHooks from 'node:async_hooks';

type Callbacks = Parameters<typeof asyncHooks.createHook>[0];
type InScope = (fn: (...given: unknown[]) => unknown, thisArg: unknown, ...args: unknown[]) => unknown;

/**
 * Replaces how node:test finds the test to which running code belongs. By default node:test tracks every promise, which
 * takes a tenth to a third of the JavaScript time of tests that run servers in their own process. An
 * `AsyncLocalStorage` gives the same information at no cost.
 *
 * Call it before node:test is loaded. The tests of test-step.ts check that nesting and errors are still reported.
 */
export function disablePromiseHooks(): void {
  const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks;
  const current = new AsyncLocalStorage<number>();
  let onInit: Callbacks['init'];

  /** node:test calls this once, to track every async resource. */
  asyncHooks.createHook = (callbacks) => {
    if (onInit !== undefined || callbacks.init === undefined) return createHook(callbacks);
    onInit = callbacks.init;
    const idle = { enable: () => idle, disable: () => idle };
    return idle;
  };
  asyncHooks.executionAsyncId = () => current.getStore() ?? executionAsyncId();

  const reported = new WeakSet<object>();
  const runInScope = AsyncResource.prototype.runInAsyncScope as InScope;
  const runInTestScope: InScope = function (this: InstanceType<typeof AsyncResource>, fn, thisArg, ...args) {
    if (!testClasses.has(this.constructor.name)) return runInScope.call(this, fn, thisArg, ...args);
    const id = this.asyncId();
    if (!reported.has(this)) onInit?.(id, this.constructor.name, 0, this);
    reported.add(this);
    const within = (...given: unknown[]): unknown => current.run(id, () => fn.apply(thisArg, given));
    return runInScope.call(this, within, undefined, ...args);
  };
  AsyncResource.prototype.runInAsyncScope = runInTestScope as typeof AsyncResource.prototype.runInAsyncScope;
}

/** The async resources in which node:test runs functions. */
const testClasses: ReadonlySet<string> = new Set(['Test', 'Suite', 'TestHook']);
