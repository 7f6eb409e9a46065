import { nullSql } from '../expressions/engine-sql.ts';
import { engineType } from '../types.ts';
import type { Compilation, Grouping } from './compilation-context.ts';
import type { Correlation, JoinLevel } from './correlation.ts';
import { groupItem, groupKeyValue } from './grouping.ts';
import { renderAsJoinOperand } from './join.ts';
import type { FromItem } from './relation.ts';

/** The SQL of FROM, and the name of the correlation key if its rows depend on outer rows. */
interface Source {
  readonly text: string;
  readonly key: string | undefined;
  /** The query that returns the groups, if the source consists of this query alone. */
  readonly groups?: string;
}

/** The rows of a query before or after grouping. */
export interface SourceLevel extends JoinLevel {
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
      const { text, key, groups } = base(attached.length > 0);
      const isAlone = attached.length === 0 && groups !== undefined;
      return { text: `${text}${attached.join('')}`, key, ...(isAlone ? { groups } : {}) };
    },
  };
}

/** Creates the rows of FROM, joined with the outer values that the query uses. */
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
    const left = renderAsJoinOperand(item, compilation);
    return {
      text: ` FROM ${left} INNER JOIN ${correlation.render()} ON ${item.key} = ${correlation.key}`,
      key: correlation.key,
    };
  }, compilation);

/** Creates the groups of a query's rows. Without keys there is one group, even without rows. */
export const groupLevel = (
  { rows, where, grouping }: { rows: SourceLevel; where: () => string; grouping: Grouping },
  correlation: Correlation | undefined,
  compilation: Compilation,
): SourceLevel =>
  createLevel((isJoined) => {
    const { text, key } = rows.render();
    const own = key === undefined ? undefined : compilation.name();
    const from: GroupedRows = { text: `${text}${where()}`, key, own, correlation };
    const all = grouping.sets?.sets ?? [grouping.keys.map((_, place) => place)];
    const groups = all
      .map((places, number) => groupsOf(grouping, places, number, from, compilation))
      .join(' UNION ALL ');
    if (correlation?.isUsed() === true) {
      const outside = ` FROM (${groups}) AS ${compilation.name()}`;
      const joined =
        own === undefined
          ? `CROSS JOIN ${correlation.render()}`
          : `INNER JOIN ${correlation.render()} ON ${own} = ${correlation.key}`;
      return { text: `${outside} ${joined}`, key: correlation.key };
    }
    const outside = ` FROM (${groups})${isJoined ? ` AS ${compilation.name()}` : ''}`;
    return { text: outside, key: own, ...(all.length === 1 && own === undefined ? { groups } : {}) };
  }, compilation);

interface GroupedRows {
  /** FROM and WHERE. */
  readonly text: string;
  /** The correlation key of the rows, and its name in the groups. */
  readonly key: string | undefined;
  readonly own: string | undefined;
  readonly correlation: Correlation | undefined;
}

/** Compiles the groups of one grouping set. They have the columns of all sets, with NULL for keys of other sets. */
function groupsOf(
  { keys, aggregates, sets }: Grouping,
  places: readonly number[],
  number: number,
  { text, key, own, correlation }: GroupedRows,
  compilation: Compilation,
): string {
  const keyColumns = keys.map((one, place) =>
    places.includes(place) ? `${groupKeyValue(one)} AS ${one.name}` : `${nullSql(one.type)} AS ${one.name}`,
  );
  const marks = [...(sets?.marks ?? [])].map(
    ([name, values]) => `CAST(${String(values[number] ?? 0)} AS Nullable(Int64)) AS ${name}`,
  );
  const numbers = sets === undefined ? [] : [`toUInt16(${String(number)}) AS ${sets.number}`];
  const values = aggregates.map(({ sql, name }) => `${sql} AS ${name}`);
  // Without a key or an aggregate, for example with only HAVING, the engine would not group the rows. So a count is
  // added: an aggregate without keys makes one group of all rows.
  const needsCount = values.length === 0 && (sets !== undefined || keyColumns.length === 0);
  const count = needsCount ? [`count() AS ${compilation.name()}`] : [];
  const columns = [...keyColumns, ...values, ...marks, ...numbers, ...count];
  const items = places.flatMap((place) => keys[place] ?? []).map(groupItem);
  if (key === undefined || own === undefined) {
    return `SELECT ${columns.join(', ')}${text}${items.length === 0 ? '' : ` GROUP BY ${items.join(', ')}`}`;
  }
  if (items.length > 0) {
    return `SELECT ${[...columns, `${key} AS ${own}`].join(', ')}${text} GROUP BY ${[...items, key].join(', ')}`;
  }
  if (correlation === undefined) throw new Error('What depends on rows around it has a domain.');
  // Without keys there is one group for each correlation key. If it has no rows, a count is 0 and other values are
  // NULL.
  const domain = correlation.again();
  const [inner, innerKey] = [aggregates.map(() => compilation.name()), compilation.name()];
  const made = aggregates.map(({ sql }, i) => `${sql} AS ${inner[i] ?? ''}`);
  const restored = aggregates.map(({ name, type, isCount }, i) => {
    const value = inner[i] ?? '';
    return `${isCount ? `CAST(ifNull(${value}, 0) AS ${engineType(type)})` : value} AS ${name}`;
  });
  const groups = `(SELECT ${[...made, `${key} AS ${innerKey}`].join(', ')}${text} GROUP BY ${key}) AS ${compilation.name()}`;
  const filler = needsCount ? [`1 AS ${compilation.name()}`] : [];
  const list = [...keyColumns, ...restored, ...marks, ...numbers, ...filler, `${domain.key} AS ${own}`];
  return `SELECT ${list.join(', ')} FROM ${domain.render()} LEFT JOIN ${groups} ON ${domain.key} = ${innerKey}`;
}
