const listener = (): void => undefined;

/**
 * Makes `abort()` end the process, as V8 does when its heap is full. The embedded engine sets a handler of that signal
 * that sleeps for ever: the process would hang with its ports open, and no supervisor would start it again. Adding and
 * removing a listener sets the default of the system. Call it after the engine has been opened.
 */
export const endOnAbort = (): void => {
  process.on('SIGABRT', listener);
  process.off('SIGABRT', listener);
};
