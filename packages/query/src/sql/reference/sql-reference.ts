import { aggregateRules } from '../expressions/aggregate/aggregate-rules.ts';
import { functionRules, operatorRules } from '../expressions/function-catalog.ts';
import { setReturningRules } from '../expressions/set-returning-functions.ts';
import type { Expression } from '../expression.ts';
import { SqlCompileError } from '../sql-compile-error.ts';
import { numericType, toScalarType, unknownType, type SqlType } from '../types.ts';
import { windowFunctions } from '../expressions/aggregate/windows.ts';
import {
  aggregateExamples,
  exampleRows,
  type Examples,
  functionExamples,
  operatorExamples,
  setExamples,
  windowExamples,
} from './function-examples.ts';
import {
  aggregateNotes,
  type FunctionGroup,
  functionGroups,
  operatorNotes,
  setNotes,
  windowNotes,
} from './function-notes.ts';
import { postgresqlDifferences, supportedSyntax, limits, sqlExamples } from './sql-notes.ts';
import { join } from 'node:path';

/** The page in the repository. */
export const sqlReferencePath = join(import.meta.dirname, '../../../../../apps/docs/docs/reference/sql.md');

interface Rule {
  readonly name: string;
  readonly parameters: readonly string[];
}

type Notes = Readonly<Record<string, string>>;

/** Search terms for which the site search should find this page. */
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

/** Renders the SQL reference page as Markdown, from the lists that the compiler uses. */
export const renderSqlReference = (): string =>
  `${[
    `---\ntitle: SQL\ndescription: The supported part of PostgreSQL’s SQL dialect, with all operators and functions.\nsidebar_position: 2\nkeywords:\n${keywords.map((word) => `  - ${word}\n`).join('')}---`,
    'This page lists the SQL that `POST /query` supports. It is generated from the lists that the compiler uses, so it is complete. The examples query the datasets of the demo. You can run each one: choose SQL, curl or Python.',
    '## Examples',
    ...sqlExamples.map((example) => ['```sql', example, '```'].join('\n')),
    '## Statements',
    list(supportedSyntax),
    'Anything else is rejected with a SqlParseError (400). The message says what is invalid or unsupported, gives the position, and suggests an alternative if there is one.',
    '## Limits',
    list(limits),
    '## Operators',
    [
      'The lists on this page use these names for argument types:',
      list([
        '`any`: a value of any type',
        '`any scalar`: a value of any type except arrays',
        '`typed`: a value of a known type; a string literal must be cast',
        '`same`: values that have a common type',
        '`array`: any array',
        '`array of same`: an array of the common type',
        '`array of one`: an array of exactly the same type, without an implicit cast',
        '`ordered`: a value of a type that can be sorted',
      ]),
    ].join('\n\n'),
    'Comparisons (`=` `<>` `!=` `<` `<=` `>` `>=`, `IS [NOT] DISTINCT FROM`, `BETWEEN`, `IN`) compare two values whose types have a common type. Values of jsonb cannot be compared.',
    signatures(offered(operatorRules), operatorTexts, [operatorNotes, operatorExamples]),
    '## Functions',
    'Each function has an example with its result after the arrow. To try one, put it behind `SELECT`. Unless a note says otherwise, a function returns NULL if an argument is NULL.',
    ...functionGroups.flatMap(groupText),
    '## Aggregates',
    'All aggregates take `FILTER (WHERE ...)`, and they take `DISTINCT` and `ORDER BY` as in PostgreSQL. Without ORDER BY, `string_agg`, `array_agg` and `jsonb_agg` order their input by value, because the order of rows could disclose rows that you cannot read.',
    `The examples of aggregates and window functions use these rows. To try another one, put it in place of \`sum(y)\`:`,
    `\`\`\`sql\nSELECT sum(y) FROM (VALUES ${exampleRows}) AS t(x, y)\n\`\`\``,
    signatures(offeredAggregates(), callTexts, [aggregateNotes, aggregateExamples]),
    '## Set-returning functions',
    'Use them in `FROM`, as in `SELECT * FROM generate_series(0, 10, 5)`. The examples show one result for each row.',
    signatures(offered(setReturningRules), callTexts, [setNotes, setExamples]),
    '## Window functions',
    'You can use all aggregates and the following functions with `OVER`. The examples use the rows of the aggregates, and show their results in the order of `y`:',
    list(
      windowFunctions.map(
        (name) => `\`${name}\`: ${noteOf(name, windowNotes)}. ${exampleOf(name, windowExamples)}`,
      ),
    ),
    'Frames can be ROWS with offsets, or RANGE between the start of the partition, the current row and the end of the partition.',
    '## Differences from PostgreSQL',
    list(postgresqlDifferences),
  ].join('\n\n')}\n`;

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

/** The calls of a function, where those with one argument are written as one: `abs(bigint | numeric)`. */
const callTexts = (rules: readonly Rule[]): string[] => {
  const isUnary = ({ parameters }: Rule): boolean => parameters.length === 1 && parameters[0] !== '*';
  const unary = rules.filter(isUnary);
  const others = rules.filter((rule) => !isUnary(rule));
  const types = new Set(unary.map(({ parameters }) => parameters.join('')));
  return [
    ...unary.slice(0, 1).map(({ name }) => `${name}(${[...types].join(' | ')})`),
    ...others.map(({ name, parameters }) => `${name}(${parameters.join(', ')})`),
  ];
};

const operatorTexts = (rules: readonly Rule[]): string[] =>
  rules.map(({ name, parameters }) =>
    parameters.length === 1 ? `${name} ${parameters.join('')}` : parameters.join(` ${name} `),
  );

/** Throws if a function has no note, so that the page explains every function. */
const noteOf = (name: string, notes: Notes): string => {
  const note = notes[name];
  if (note === undefined) throw new Error(`There is no note on "${name}": write one in function-notes.ts.`);
  return note;
};

/** Throws if a function has no example, so that the page shows every function. */
const exampleOf = (name: string, examples: Examples): string => {
  const [call, ...results] = examples[name] ?? [];
  if (call === undefined)
    throw new Error(`There is no example of "${name}": write one in function-examples.ts.`);
  return `\`${call}\` → ${results.map((result) => `\`${result}\``).join(', ')}`;
};

function signatures(
  rules: readonly Rule[],
  texts: (rules: readonly Rule[]) => string[],
  [notes, examples]: readonly [Notes, Examples],
): string {
  const names = [...new Set(rules.map(({ name }) => name))].toSorted();
  return list(
    names.map((name) => {
      const own = texts(rules.filter((rule) => rule.name === name)).map((text) => `\`${text}\``);
      return `${[...new Set(own)].join(', ')}: ${noteOf(name, notes)}. ${exampleOf(name, examples)}`;
    }),
  );
}

/** Renders a group of functions: what each returns, with an example. */
const groupText = ({ title, notes }: FunctionGroup): string[] => {
  const rules = offered(functionRules).filter(({ name }) => Object.hasOwn(notes, name));
  return [`### ${title}`, signatures(rules, callTexts, [notes, functionExamples])];
};

/** Functions that are missing in the groups. */
export const unexplained = (): string[] => [
  ...new Set(
    offered(functionRules)
      .map(({ name }) => name)
      .filter((name) => !functionGroups.some(({ notes }) => Object.hasOwn(notes, name))),
  ),
];

/** Creates a literal of a parameter's type, with which every rule can be called. */
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

/** Whether a rule is unsupported. The lists also have rules that only throw an error with a hint. */
const isUnsupported = (use: () => unknown): boolean => {
  try {
    use();
    return false;
  } catch (error) {
    return error instanceof SqlCompileError && error.kind === 'unsupported';
  }
};

const offered = (rules: typeof functionRules): Rule[] =>
  rules
    .filter((rule) => !isUnsupported(() => rule.emit(rule.parameters.map(sampleOf), 0)))
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
