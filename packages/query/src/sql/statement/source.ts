import { engineType } from '../types.ts';
import type { Compilation, Grouping } from './compilation.ts';
import type { Correlation, Level } from './correlation.ts';
import { groupedColumns, groupItems } from './grouping.ts';
import { wrapped } from './join.ts';
import type { FromItem } from './relation.ts';

/** Text of FROM, and the name of the key that its rows carry if they depend on rows around the query. */
interface Source {
  readonly text: string;
  readonly key: string | undefined;
}

/** Rows of a query at one of its levels: as FROM gives them, or as groups. */
export interface SourceLevel extends Level {
  render(): Source;
}

function createLevel(base: (isJoined: boolean) => Source, compilation: Compilation): SourceLevel {
  const attached: string[] = [];
  return {
    source: () => base(false).text,
    attach: (query, key, ownKey) => {
      attached.push(` LEFT JOIN (${query}) AS ${compilation.name()} ON ${ownKey} = ${key}`);
    },
    render: () => {
      const { text, key } = base(attached.length > 0);
      return { text: `${text}${attached.join('')}`, key };
    },
  };
}

/** The rows of FROM, beside the values of rows around the query where they are named. */
export const rowLevel = (
  from: () => FromItem | undefined,
  correlation: Correlation | undefined,
  compilation: Compilation,
): SourceLevel =>
  createLevel(() => {
    const item = from();
    const isUsed = correlation?.isUsed() === true;
    if (correlation === undefined || !isUsed) {
      return { text: item === undefined ? '' : ` FROM ${item.render()}`, key: item?.key };
    }
    if (item === undefined) return { text: ` FROM ${correlation.render()}`, key: correlation.key };
    if (item.key === undefined) {
      return { text: ` FROM ${item.render()} CROSS JOIN ${correlation.render()}`, key: correlation.key };
    }
    const left = wrapped(item, compilation);
    return {
      text: ` FROM ${left} INNER JOIN ${correlation.render()} ON ${item.key} = ${correlation.key}`,
      key: correlation.key,
    };
  }, compilation);

/** The groups of a query's rows; without keys one, of no rows too. */
export const groupLevel = (
  { rows, where, grouping }: { rows: SourceLevel; where: () => string; grouping: Grouping },
  correlation: Correlation | undefined,
  compilation: Compilation,
): SourceLevel =>
  createLevel((isJoined) => {
    const alias = isJoined ? ` AS ${compilation.name()}` : '';
    const { text, key } = rows.render();
    const items = groupItems(grouping);
    const groups = (columns: string, group: string): string =>
      `SELECT ${columns}${text}${where()}${group === '' ? '' : ` GROUP BY ${group}`}`;
    // HAVING may ask for groups alone, without a key or an aggregate.
    const columns = groupedColumns(grouping);
    const list = columns.length === 0 ? [`count() AS ${compilation.name()}`] : columns;
    const isUsed = correlation?.isUsed() === true;
    if (key === undefined) {
      const alone = groups(list.join(', '), items.join(', '));
      if (correlation === undefined || !isUsed) return { text: ` FROM (${alone})${alias}`, key: undefined };
      return {
        text: ` FROM (${alone}) AS ${compilation.name()} CROSS JOIN ${correlation.render()}`,
        key: correlation.key,
      };
    }
    if (correlation === undefined) throw new Error('What depends on rows around it has a domain.');
    const own = compilation.name();
    const keyed = groups([...list, `${key} AS ${own}`].join(', '), [...items, key].join(', '));
    const name = compilation.name();
    if (grouping.keys.length > 0) {
      if (!isUsed) return { text: ` FROM (${keyed})${alias}`, key: own };
      return {
        text: ` FROM (${keyed}) AS ${name} INNER JOIN ${correlation.render()} ON ${own} = ${correlation.key}`,
        key: correlation.key,
      };
    }
    const whole = withEmptyGroups(grouping, keyed, own, correlation, compilation);
    return { text: ` FROM (${whole})${alias}`, key: correlation.key };
  }, compilation);

/** The one group of each key, of no rows where there are none: a count is 0 there, and all else NULL. */
function withEmptyGroups(
  { aggregates }: Grouping,
  groups: string,
  key: string,
  correlation: Correlation,
  compilation: Compilation,
): string {
  const counts = aggregates.filter(({ isCount }) => isCount);
  const inner = new Map(counts.map(({ name }) => [name, compilation.name()]));
  const renamed = counts.map(({ name }) => `${name} AS ${inner.get(name) ?? ''}`);
  const restored = counts.map(
    ({ name, type }) => `CAST(ifNull(${inner.get(name) ?? ''}, 0) AS ${engineType(type)}) AS ${name}`,
  );
  const others = aggregates.filter(({ isCount }) => !isCount).map(({ name }) => name);
  const rows = `(SELECT ${[...others, ...renamed, key].join(', ')} FROM (${groups})) AS ${compilation.name()}`;
  const columns = [...correlation.names(), ...others, ...restored];
  return `SELECT ${columns.join(', ')} FROM ${correlation.render()} LEFT JOIN ${rows} ON ${correlation.key} = ${key}`;
}
