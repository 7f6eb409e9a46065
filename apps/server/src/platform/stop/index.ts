export { endOnAbort } from './end-on-abort.ts';
export { endProcess } from './end-process.ts';
export { stopInStages, type Part, type Stopping } from './stop-in-stages.ts';
export { stopOnSignals } from './stop-on-signals.ts';
