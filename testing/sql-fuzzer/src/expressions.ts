import { aggregateRules, windowRules } from './aggregate-rules.ts';
import { expressionRules, leafRules } from './expression-rules.ts';
import type { Random } from '@redoubt/testkit';
import { part, type SqlPart, type SqlTree } from './sql-tree.ts';
import type { TestType } from './tables.ts';

/** A column that an expression may name. */
export interface NamedColumn {
  readonly text: string;
  readonly type: TestType;
}

/** The names that an expression can use. */
export interface Place {
  readonly columns: readonly NamedColumn[];
  /** Columns of the queries around this one. */
  readonly outer: readonly NamedColumn[];
  /** The expressions that rows are grouped by. With them, aggregates are allowed. */
  readonly keys?: readonly NamedColumn[];
  /** A column with a distinct value in each row, if there is one. */
  readonly unique?: string;
  readonly windows?: boolean;
}

/** Generates the queries inside expressions. */
export interface Subqueries {
  scalar(type: TestType, depth: number, place: Place): SqlTree;
  column(type: TestType, depth: number, place: Place): SqlTree;
  any(depth: number, place: Place): SqlTree;
}

const literals = [
  'a',
  'abc',
  'ABC',
  '',
  ' ',
  'x',
  'é',
  '東',
  "it''s",
  '%',
  '_',
  ',',
  'foo',
  '12',
  'É',
  'b\\',
  '-- x',
  '/*',
  '💩',
];
const patterns = ['a%', '%b%', '_', '%', '', 'A__%', '%é%', '%\\%%', 'abc', 'foo%baz', '%_', 'É%'];
const similars = ['(a|b)%', '[a-c]+', '_b_', '%(bar|baz)', 'a{2,3}'];
const regexes = [
  'a',
  '^a',
  'c$',
  '[a-c]+',
  'b|r',
  '^[A-Z]',
  '\\d+',
  '(foo|bar)',
  'a{2}',
  'x?',
  '^$',
  '[^a-z ]',
  'é',
  '\\.',
];

const isType = (name: string): name is TestType => Object.hasOwn(expressionRules, name);
const seldom = /\.(?:huge|ratio)$/;

const withoutKeys = ({ columns, outer }: Place): Place => ({ columns, outer });

const namesJson = ({ columns, keys }: Place): boolean =>
  keys === undefined && columns.some(({ text }) => text.endsWith('.info'));

const qualified = (rule: string, { columns }: Place): string => {
  const prefix = columns.find(({ text }) => text.endsWith('.info'))?.text.replace(/info$/, '') ?? '';
  return rule.replaceAll(/\b(info|tags) /g, `${prefix}$1 `);
};

export function createExpressions(random: Random, subqueries: Subqueries) {
  const leaf = (type: TestType, depth: number, place: Place): SqlPart => {
    const columns = place.keys ?? place.columns;
    const named = [...columns, ...(random.chance(0.2) ? place.outer : [])].filter(
      (column) => column.type === type || (type === 'bigint' && column.type === 'i4'),
    );
    if (place.keys !== undefined && (named.length === 0 || random.chance(0.5))) {
      const rules = aggregateRules[type];
      if (rules !== undefined) return filled(random.pick(rules), type, depth - 1, withoutKeys(place));
    }
    if (named.length > 0 && random.chance(0.85)) {
      const first = random.pick(named);
      const { text } = seldom.test(first.text) && random.chance(0.7) ? random.pick(named) : first;
      return part(type, text);
    }
    return filled(random.pick(leafRules[type]), type, 0, place);
  };

  const expression = (type: TestType, depth: number, place: Place): SqlPart => {
    if (depth <= 0 || random.chance(0.15)) return leaf(type, depth, place);
    const rules = windowRules[type];
    if (place.windows === true && rules !== undefined && random.chance(0.35)) {
      return windowed(random.pick(rules), type, depth - 1, place);
    }
    const rule = random.pick(expressionRules[type]);
    if (/(?:info|tags) /.test(rule) && !namesJson(place)) return expression(type, depth, place);
    const simpler = leaf(type, 0, { ...place });
    return { ...filled(qualified(rule, place), type, depth - 1, place), simpler: [simpler] };
  };

  const windowed = (rule: string, type: TestType, depth: number, place: Place): SqlPart => {
    const { windows: _, ...inside } = place;
    const sortable = place.columns.filter(({ type: of }) => of !== 'jsonb' && of !== 'double');
    if (sortable.length === 0) return leaf(type, depth, inside);
    const by = random.pick(sortable).text;
    const direction = random.pick(['', ' desc', ' nulls first', ' desc nulls last']);
    const each = place.unique ?? by;
    const partition = random.chance(0.5) ? `partition by ${random.pick(sortable).text} ` : '';
    if (rule.includes('‹each›') && place.unique === undefined) return leaf(type, depth, inside);
    const text = rule
      .replace('‹partition›', partition)
      .replace('‹each›', `${by}${direction}, ${each}`)
      .replace('‹by›', `${by}${direction}`);
    return filled(text, type, depth, inside);
  };

  const slot = (name: string, depth: number, place: Place): SqlTree => {
    if (isType(name)) return expression(name, depth, place);
    const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(name) ?? [];
    if (from !== undefined && to !== undefined)
      return String(Number(from) + random.int(Number(to) - Number(from) + 1));
    if (name === "'text'") return `'${random.pick(literals)}'`;
    if (name === 'pattern') return `'${random.pick(patterns)}'`;
    if (name === 'similar') return `'${random.pick(similars)}'`;
    if (name === 'regex') return `'${random.pick(regexes)}'`;
    if (name === 'quarters') return quarters(place);
    if (name === 'exists') return subqueries.any(depth, place);
    const [kind, type = ''] = name.split(' ');
    if (kind === 'sub' && isType(type)) return subqueries.scalar(type, depth, place);
    if (kind === 'in' && isType(type)) return subqueries.column(type, depth, place);
    const choice = random.pick(name.split('|'));
    if (choice === '"') return '|';
    return isType(choice) ? expression(choice, depth, place) : choice;
  };

  /** Doubles whose sums are exact. */
  const quarters = ({ columns }: Place): SqlTree => {
    const exact = columns.filter(({ text }) => /\.(?:score|amount|rate)$/.test(text));
    return part('quarters', exact.length === 0 ? '0.25::float8' : random.pick(exact).text);
  };

  const filled = (rule: string, type: TestType, depth: number, place: Place): SqlPart => {
    const named = new Map<string, SqlTree>();
    const parts = rule.split(/‹([^›]*)›/).map((piece, i): SqlTree => {
      if (i % 2 === 0) return piece;
      const [name = '', label] = piece.split('@');
      if (label === undefined) return slot(name, depth, place);
      const tree = named.get(piece) ?? slot(name, depth, place);
      named.set(piece, tree);
      return tree;
    });
    return { kind: type, parts };
  };

  return { expression };
}
