import { Gauge, type Registry } from 'prom-client';
import { processMemory } from '../memory/index.ts';

/** The memory of an embedded record engine, in bytes. */
export interface EngineMemory {
  /** What it may take at most. */
  limit: number;
  /** What it counts against that now. */
  used(): Promise<number>;
}

/** Adds the figures of memory, which are read when they are asked for. */
export const addMemoryFigures = (registry: Registry, engine: () => EngineMemory | undefined): void => {
  const ofEngine = new Gauge({
    name: 'redoubt_engine_memory_bytes',
    help: 'Memory of the embedded record engine: its limit (MEMORY_LIMIT), and what is used of it.',
    labelNames: ['kind'],
    registers: [],
    async collect() {
      const memory = engine();
      if (memory === undefined) return;
      this.set({ kind: 'limit' }, memory.limit);
      this.set({ kind: 'used' }, await memory.used());
    },
  });
  const ofProcess = new Gauge({
    name: 'redoubt_process_memory_bytes',
    help: 'Memory of the server with its embedded engines: all that is resident, and the part that belongs to no file (anonymous).',
    labelNames: ['kind'],
    registers: [],
    collect() {
      const { resident, anonymous } = processMemory();
      this.set({ kind: 'resident' }, resident);
      if (anonymous !== undefined) this.set({ kind: 'anonymous' }, anonymous);
    },
  });
  registry.registerMetric(ofEngine);
  registry.registerMetric(ofProcess);
};
