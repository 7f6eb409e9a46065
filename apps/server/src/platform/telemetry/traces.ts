import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Engine } from '@redoubt/records';
import type { FastifyInstance } from 'fastify';
import { routeName } from '../http/route-name.ts';

export interface Traces {
  /** Creates a span for each request of a server. Call it before the server listens. */
  watchResponses(app: FastifyInstance): void;
  /** Wraps an engine so that each of its statements is a child span of its request. */
  watchEngine(engine: Engine): Engine;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

/**
 * Sends traces over OTLP. A span contains a route template, a method, a status, a lane and times, but no id, path,
 * header, or text of a query or error.
 * @param endpoint the URL of a collector, to which `/v1/traces` is added
 */
export const startTraces = (endpoint: string): Traces => {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'redoubt' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('redoubt');
  const current = new AsyncLocalStorage<Context>();
  const spans = new WeakMap<object, Span>();

  const beginStatement = (kind: string, lane: string): Span =>
    tracer.startSpan(
      `engine ${kind}`,
      { kind: SpanKind.CLIENT, attributes: { 'redoubt.lane': lane } },
      current.getStore() ?? ROOT_CONTEXT,
    );

  const traced = async <Result>(kind: string, lane: string, work: () => Promise<Result>): Promise<Result> => {
    const span = beginStatement(kind, lane);
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };

  return {
    watchResponses: (app) => {
      app.addHook('onRequest', (request, _reply, done) => {
        const route = routeName(request);
        const span = tracer.startSpan(
          route,
          { kind: SpanKind.SERVER, attributes: { 'http.route': route } },
          ROOT_CONTEXT,
        );
        spans.set(request, span);
        current.run(trace.setSpan(ROOT_CONTEXT, span), done);
      });
      app.addHook('onResponse', async (request, reply) => {
        const span = spans.get(request);
        span?.setAttribute('http.response.status_code', reply.statusCode);
        if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      });
    },
    watchEngine: (engine) => ({
      query: (sql, options) => {
        const span = beginStatement('stream', options.lane);
        const chunks = engine.query(sql, options);
        return (async function* () {
          try {
            yield* chunks;
          } catch (error) {
            span.setStatus({ code: SpanStatusCode.ERROR });
            throw error;
          } finally {
            span.end();
          }
        })();
      },
      bytes: (sql, options) => traced('answer', options.lane, () => engine.bytes(sql, options)),
      text: (sql, options) => traced('answer', options.lane, () => engine.text(sql, options)),
      command: (sql, options) => traced('command', options.lane, () => engine.command(sql, options)),
      insert: (request) => traced('insert', 'write', () => engine.insert(request)),
      load: (request) => traced('load', 'write', () => engine.load(request)),
      close: () => engine.close(),
    }),
    close: () => provider.shutdown(),
  };
};
