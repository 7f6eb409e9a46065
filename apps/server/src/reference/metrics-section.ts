import { createMetrics } from '../platform/telemetry/index.ts';
import { code, table } from './markdown.ts';

const described = /^# HELP (redoubt_\w+) (.+)\n# TYPE \1 (\w+)$/gm;

/** The server's own metrics, as `/metrics` describes them. */
export const metricsSection = async (): Promise<string> => {
  const text = await createMetrics().text();
  const rows = Array.from(text.matchAll(described), ([, name = '', help = '', type = '']) => [
    code(name),
    type,
    help,
  ]);
  return table(['Metric', 'Type', 'What it is'], rows);
};
