import { letIn } from './engine-sql.ts';
import type { Expression } from '../expression.ts';
import { invalidSql } from '../sql-compile-error.ts';
import { toScalarType, type SqlType } from '../types.ts';
import { fromArray } from './array/array-values.ts';
import { groupRulesByName, applyOverload, signature } from './apply-overload.ts';
import { callFunction } from './functions.ts';
import { elementsOf, membersOf } from './json/json-access.ts';
import { jsonText } from './json/json-values.ts';
import type { FunctionRule } from './function-rule.ts';
import { seriesRules } from './series.ts';

/** A column of a set-returning function. */
export interface SetReturningColumn {
  /** The fixed name of the column. Without one, the column has the name of the function or its alias. */
  readonly name?: string;
  readonly type: SqlType;
  /** Converts the element of the engine's array to the value. */
  readonly of?: (held: string) => string;
}

/** A compiled call: an array of tuples, one for each row, with one nullable value for each column. */
export interface SetReturningCall {
  readonly list: string;
  readonly columns: readonly SetReturningColumn[];
}

const jsonb = toScalarType('jsonb');
const text = toScalarType('text');

/**
 * Creates a rule of a function of a JSON value. For a value of another kind, PostgreSQL fails and Redoubt returns no
 * rows.
 */
const ofJson = (name: string, begins: '[' | '{', list: string): FunctionRule => ({
  name,
  parameters: ['jsonb'],
  result: text,
  emit: ([value]) =>
    letIn({ s_text: `ifNull(${value?.sql ?? ''}, '')` }, `if(startsWith(s_text, '${begins}'), ${list}, [])`),
});

const elements = `arrayMap(e -> tuple(toNullable(e)), ${elementsOf('s_text')})`;
const members = `arrayMap(m -> tuple(toNullable(m.1), toNullable(m.2)), ${membersOf('s_text')})`;
const keys = `arrayMap(m -> tuple(toNullable(m.1)), ${membersOf('s_text')})`;

const unnest: FunctionRule = {
  name: 'unnest',
  parameters: ['array'],
  result: text,
  emit: ([list], at) => {
    if (list?.type.name !== 'array')
      throw invalidSql(
        `the function ${signature('unnest', list === undefined ? [] : [list])} does not exist`,
        at,
      );
    return { sql: `arrayMap(e -> tuple(e), ${fromArray(list.sql)})`, type: list.type.element, at };
  },
};

/** Creates an overload of string_to_table, which splits a text as string_to_array does. */
const pieces = (parameters: FunctionRule['parameters']): FunctionRule => ({
  name: 'string_to_table',
  parameters,
  result: text,
  emit: (args, at) => unnest.emit([callFunction('string_to_array', args, at)], at),
});

/**
 * The supported functions. `emit` returns the engine's array; the result is the type of the only column unless
 * `columnsOf` returns several.
 */
export const setReturningRules: readonly FunctionRule[] = [
  unnest,
  ofJson('jsonb_array_elements', '[', elements),
  ofJson('jsonb_array_elements_text', '[', elements),
  ofJson('jsonb_object_keys', '{', keys),
  ofJson('jsonb_each', '{', members),
  ofJson('jsonb_each_text', '{', members),
  pieces(['text', 'text']),
  pieces(['text', 'text', 'text']),
  ...seriesRules,
];

const columnsOf: Readonly<Record<string, readonly SetReturningColumn[]>> = {
  jsonb_array_elements: [{ name: 'value', type: jsonb }],
  jsonb_array_elements_text: [{ name: 'value', type: text, of: jsonText }],
  jsonb_each: [
    { name: 'key', type: text },
    { name: 'value', type: jsonb },
  ],
  jsonb_each_text: [
    { name: 'key', type: text },
    { name: 'value', type: text, of: jsonText },
  ],
};

const rules = groupRulesByName(setReturningRules);

/** Whether a function is set-returning. */
export const isSetReturning = (name: string): boolean => rules.has(name);

/** Compiles a call of a set-returning function. */
export function compileSetReturningCall(
  name: string,
  args: readonly Expression[],
  at: number,
): SetReturningCall {
  const construct = `the function ${signature(name, args)}`;
  const found = applyOverload(rules.get(name) ?? [], args, at, construct);
  if (found === undefined) throw invalidSql(`${construct} does not exist`, at);
  return { list: found.sql, columns: columnsOf[name] ?? [{ type: found.type }] };
}
