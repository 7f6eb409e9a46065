export { createMetrics, type Metrics } from './metrics.ts';
export { listenForMetrics, type MetricsListener } from './metrics-listener.ts';
export { startTraces, type Traces } from './traces.ts';
