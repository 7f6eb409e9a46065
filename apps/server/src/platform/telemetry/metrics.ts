import type { Engine } from '@redoubt/records';
import type { FastifyInstance } from 'fastify';
import { routeName } from '../http/route-name.ts';
import { addMemoryMetrics, type EngineMemory } from './memory-metrics.ts';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

export interface Metrics {
  /** Counts and times the responses of a server. Call it before the server listens. */
  watchResponses(app: FastifyInstance): void;
  /** Records how long a statement waited for a connection. */
  waited(lane: string, ms: number): void;
  /** Wraps an engine so that its statements are counted and timed. */
  watchEngine(engine: Engine): Engine;
  /** Adds the memory of an embedded record engine. */
  watchMemory(memory: EngineMemory): void;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
  contentType: string;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Metrics for operators. Their labels are only words of the program: route templates, methods, statuses, lanes and
 * kinds of statements. They never contain an id, name, attribute, security label, field or text of a user.
 */
export const createMetrics = (): Metrics => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const responses = new Histogram({
    name: 'redoubt_http_answer_seconds',
    help: 'Time from the request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: seconds,
    registers: [registry],
  });
  const waits = new Histogram({
    name: 'redoubt_engine_wait_seconds',
    help: 'Time that statements waited for a connection to the record engine.',
    labelNames: ['lane'],
    buckets: seconds,
    registers: [registry],
  });
  const statements = new Histogram({
    name: 'redoubt_engine_statement_seconds',
    help: 'Time that statements took, including waiting and slow readers.',
    labelNames: ['lane', 'kind'],
    buckets: seconds,
    registers: [registry],
  });
  const engineErrors = new Counter({
    name: 'redoubt_engine_faults_total',
    help: 'Statements that failed in the record engine, including those that reached a limit or were canceled.',
    labelNames: ['lane', 'kind'],
    registers: [registry],
  });

  let engineMemory: EngineMemory | undefined;
  addMemoryMetrics(registry, () => engineMemory);

  const timed = async <Result>(lane: string, kind: string, work: () => Promise<Result>): Promise<Result> => {
    const end = statements.startTimer({ lane, kind });
    try {
      return await work();
    } catch (error) {
      engineErrors.inc({ lane, kind });
      throw error;
    } finally {
      end();
    }
  };

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    watchMemory: (memory) => {
      engineMemory = memory;
    },
    waited: (lane, ms) => waits.observe({ lane }, ms / 1000),
    watchResponses: (app) => {
      app.addHook('onResponse', async (request, reply) => {
        const route = routeName(request);
        const labels = { method: methodOf(request.method), route, status: reply.statusCode };
        responses.observe(labels, reply.elapsedTime / 1000);
      });
    },
    watchEngine: (engine) => ({
      query: (sql, options) => {
        const chunks = engine.query(sql, options);
        return (async function* () {
          const end = statements.startTimer({ lane: options.lane, kind: 'stream' });
          try {
            yield* chunks;
          } catch (error) {
            engineErrors.inc({ lane: options.lane, kind: 'stream' });
            throw error;
          } finally {
            end();
          }
        })();
      },
      bytes: (sql, options) => timed(options.lane, 'answer', () => engine.bytes(sql, options)),
      text: (sql, options) => timed(options.lane, 'answer', () => engine.text(sql, options)),
      command: (sql, options) => timed(options.lane, 'command', () => engine.command(sql, options)),
      insert: (request) => timed('write', 'insert', () => engine.insert(request)),
      load: (request) => timed('write', 'load', () => engine.load(request)),
      close: () => engine.close(),
    }),
  };
};

const knownMethods = new Set(['GET', 'POST', 'PATCH', 'DELETE']);
/** Clients can send any word as a method, and each would become a metric of its own. */
const methodOf = (method: string): string => (knownMethods.has(method) ? method : 'other');
