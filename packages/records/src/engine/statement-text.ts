import type { StatementOptions } from './engine.ts';

/**
 * Adds settings and tag to a statement. The settings are part of the text, because chdb would keep others on the
 * connection for the next statement.
 */
export function statementText(sql: string, tag: string, options: StatementOptions): string {
  const settings: [string, number | string][] = Object.entries(options.settings ?? {});
  if (options.timeLimitMs !== undefined) settings.push(['max_execution_time', options.timeLimitMs / 1000]);
  if (options.memoryLimitBytes !== undefined) settings.push(['max_memory_usage', options.memoryLimitBytes]);
  const clause = settings.map(([name, value]) => `${name} = ${settingText(value)}`).join(', ');
  return `${sql}${clause === '' ? '' : ` SETTINGS ${clause}`} /*${tag}*/`;
}

/**
 * Kills the statement with this tag. The text of the kill itself does not end with the tag, because the engine builds
 * the tag.
 */
export const killStatement = (tag: string): string =>
  `KILL QUERY WHERE endsWith(query, concat('/*', '${tag}*/')) ASYNC`;

const settingText = (value: number | string): string =>
  typeof value === 'number' ? String(value) : `'${value}'`;
