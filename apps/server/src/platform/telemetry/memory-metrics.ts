import { Gauge, type Registry } from 'prom-client';
import { processMemory } from '../memory/index.ts';

/** The memory of an embedded record engine, in bytes. */
export interface EngineMemory {
  /** Its memory limit. */
  limit: number;
  /** What it currently counts against the limit. */
  used(): Promise<number>;
}

/** Adds the metrics of memory, which are measured when they are read. */
export const addMemoryMetrics = (registry: Registry, engine: () => EngineMemory | undefined): void => {
  const ofEngine = new Gauge({
    name: 'redoubt_engine_memory_bytes',
    help: 'Memory of the embedded record engine: its limit (MEMORY_LIMIT), and the used part of it.',
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
    help: 'Memory of the server with its embedded engines: all resident memory, and the part that is not a mapped file (anonymous).',
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
