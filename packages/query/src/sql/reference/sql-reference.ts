import { aggregateRules } from '../expressions/aggregate/aggregate-rules.ts';
import { functionRules, operatorRules } from '../expressions/function-catalog.ts';
import { setReturningRules } from '../expressions/set-returning-functions.ts';
import type { Expression } from '../expression.ts';
import { SqlCompileError } from '../sql-compile-error.ts';
import { numericType, toScalarType, unknownType, type SqlType } from '../types.ts';
import { windowFunctions } from '../expressions/aggregate/windows.ts';
import {
  aggregateNotes,
  type FunctionGroup,
  functionGroups,
  operatorNotes,
  setNotes,
  windowNotes,
} from './function-notes.ts';
import { postgresqlDifferences, supportedSyntax, limits, sqlExamples } from './sql-notes.ts';

interface Rule {
  readonly name: string;
  readonly parameters: readonly string[];
}

/** What readers type who look for this page. */
const keywords: readonly string[] = [
  'join',
  'sql',
  'sql join',
  'group by',
  'window functions',
  'time zone sql',
  'time zone',
  'sql functions',
  'regular expression',
  'cte',
  'subquery',
  'date functions',
  'json functions',
  'null values',
  'postgresql dialect',
];

/** The reference of SQL as a page of Markdown, made out of the lists that the compiler goes by. */
export const renderSqlReference = (): string =>
  `${[
    `---\ntitle: SQL\ndescription: The part of PostgreSQL’s dialect that statements over datasets may use, with every operator and function.\nsidebar_position: 2\nkeywords:\n${keywords.map((word) => `  - ${word}\n`).join('')}---`,
    'This page lists the SQL that `POST /query` takes. It is generated from the lists that the compiler uses, so it is complete. The examples ask the datasets of the demo, and you can run each one: choose SQL, curl or Python.',
    '## Examples',
    ...sqlExamples.map((example) => ['```sql', example, '```'].join('\n')),
    '## Statements',
    list(supportedSyntax),
    'Anything else is refused with SqlParseError (400). The message says what is wrong or not supported, where, and what to write instead where there is something.',
    '## Limits',
    list(limits),
    '## Operators',
    'Comparisons (`=` `<>` `!=` `<` `<=` `>` `>=`, `IS [NOT] DISTINCT FROM`, `BETWEEN`, `IN`) take two values of any types that have a common one; jsonb has none with itself.',
    'In the lists of this page `any` is a value of any type, `any scalar` of any but arrays, `typed` one whose type is known (a literal in quotes has to be cast), `same` values that have a common type, `array` any array, `array of same` an array of that type, `array of one` an array that has to be of the same type already, and `ordered` what can be sorted.',
    signatures(offered(operatorRules), operatorText, operatorNotes),
    '## Functions',
    'Unless a note says otherwise, a function of NULL is NULL.',
    ...functionGroups.flatMap(groupText),
    '## Aggregates',
    'Each takes `FILTER (WHERE ...)`, and `DISTINCT` and `ORDER BY` where PostgreSQL does. Without an ORDER BY of its own, `string_agg`, `array_agg` and `jsonb_agg` put values into the order of the values themselves, as the order of rows could tell of rows that one does not see.',
    signatures(offeredAggregates(), callText, aggregateNotes),
    '## Functions that give rows',
    signatures(offered(setReturningRules), callText, setNotes),
    '## Window functions',
    'Every aggregate can be used with `OVER`, and so can these:',
    list(windowFunctions.map((name) => `\`${name}\`: ${noteOf(name, windowNotes)}`)),
    'Frames are ROWS with distances, and RANGE from and to the current row or the end of the partition.',
    '## Differences from PostgreSQL',
    list(postgresqlDifferences),
  ].join('\n\n')}\n`;

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

const callText = ({ name, parameters }: Rule): string => `${name}(${parameters.join(', ')})`;

const operatorText = ({ name, parameters }: Rule): string =>
  parameters.length === 1 ? `${name} ${parameters.join('')}` : parameters.join(` ${name} `);

/** Every function on the page is explained. */
const noteOf = (name: string, notes: Readonly<Record<string, string>>): string => {
  const note = notes[name];
  if (note === undefined) throw new Error(`There is no note on "${name}": write one in function-notes.ts.`);
  return note;
};

function signatures(
  rules: readonly Rule[],
  text: (rule: Rule) => string,
  notes: Readonly<Record<string, string>>,
): string {
  const names = [...new Set(rules.map(({ name }) => name))].toSorted();
  return list(
    names.map((name) => {
      const own = rules.filter((rule) => rule.name === name).map((rule) => `\`${text(rule)}\``);
      return `${[...new Set(own)].join(', ')}: ${noteOf(name, notes)}`;
    }),
  );
}

/** The functions of one kind: an example with its answer, and what each returns. */
const groupText = ({ title, example, notes }: FunctionGroup): string[] => {
  const rules = offered(functionRules).filter(({ name }) => Object.hasOwn(notes, name));
  const answer = JSON.stringify({ records: [example.row], '…': '…' }, undefined, 2);
  return [
    `### ${title}`,
    '<!-- prettier-ignore-start -->',
    ['```sql', example.sql.replaceAll(/(?<= AS [a-z],) /g, '\n  '), '```'].join('\n'),
    ['```json answer', answer, '```'].join('\n'),
    '<!-- prettier-ignore-end -->',
    signatures(rules, callText, notes),
  ];
};

/** Those that no group explains. */
export const unexplained = (): string[] => [
  ...new Set(
    offered(functionRules)
      .map(({ name }) => name)
      .filter((name) => !functionGroups.some(({ notes }) => Object.hasOwn(notes, name))),
  ),
];

/** A value of a parameter's type, as a literal, which every rule takes. */
function sampleOf(parameter: string): Expression {
  const name = parameter.replace('[]', '');
  const type = name === 'numeric' ? numericType(0) : typeNamed(name);
  return {
    sql: 'x',
    type: parameter.endsWith('[]') && type.name !== 'unknown' ? arrayTypeOf(type) : type,
    literal: '1',
    json: 'n1',
    interval: { months: 0, days: 1, micros: 0 },
    at: 0,
  };
}

const scalarNames = [
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'double precision',
  'text',
  'date',
  'timestamp',
  'timestamptz',
  'interval',
  'jsonb',
] as const;

const typeNamed = (name: string): SqlType => {
  const found = scalarNames.find((candidate) => candidate === name);
  if (found !== undefined) return toScalarType(found);
  return name.startsWith('array')
    ? arrayTypeOf(toScalarType('integer'))
    : name === 'same'
      ? toScalarType('integer')
      : unknownType;
};

const arrayTypeOf = (element: SqlType): SqlType =>
  element.name === 'array' || element.name === 'unknown' ? element : { name: 'array', element };

/** Rules stand in the lists for what is refused, too: those say so when they are used. */
const isRefused = (use: () => unknown): boolean => {
  try {
    use();
    return false;
  } catch (fault) {
    return fault instanceof SqlCompileError && fault.kind === 'unsupported';
  }
};

const offered = (rules: typeof functionRules): Rule[] =>
  rules
    .filter((rule) => !isRefused(() => rule.emit(rule.parameters.map(sampleOf), 0)))
    .map(({ name, parameters, variadic }) => ({
      name,
      parameters: variadic ? [...parameters, '...'] : parameters,
    }));

const offeredAggregates = (): Rule[] => {
  const rules = aggregateRules.filter(({ name, parameters }) => {
    const others = aggregateRules.filter(
      (rule) => rule.name === name && rule.parameters.length === parameters.length,
    );
    return !(parameters.includes('array') && others.length > 1);
  });
  return [{ name: 'count', parameters: ['*'] }, ...rules];
};
