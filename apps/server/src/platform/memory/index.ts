export { processMemory } from './process-memory.ts';
export { collectGarbage, releaseWhenIdle } from './release-when-idle.ts';
