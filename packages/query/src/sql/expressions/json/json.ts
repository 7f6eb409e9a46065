import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { toScalarType } from '../../types.ts';
import { fromArray } from '../array/array-values.ts';
import { compileAssignmentCast, compileCast } from '../casts.ts';
import { compileJsonContainment } from './json-containment.ts';
import { elementCount, hasKey, jsonTypeOf, listTaggedKeys } from './json-access.ts';
import {
  jsonMemberByKey,
  jsonElementByIndex,
  jsonMemberByPathStep,
  jsonText,
  bindJsonValue,
} from './json-values.ts';
import { nullOf } from '../literals.ts';
import { printJsonbText } from './print-json.ts';
import { unsupportedOverload } from '../unsupported.ts';
import type { FunctionRule } from '../function-rule.ts';

const jsonb = toScalarType('jsonb');
const text = toScalarType('text');

const at = (args: readonly Expression[], index: number): Expression => {
  const found = args[index];
  if (found === undefined) throw new Error('Rules have their arguments counted.');
  return found;
};

const arrow = (name: '->' | '->>', parameter: 'integer' | 'text'): FunctionRule => ({
  name,
  parameters: ['jsonb', parameter],
  amongOthers: true,
  result: name === '->' ? jsonb : text,
  emit: (args) => {
    const [value, key] = [at(args, 0).sql, at(args, 1).sql];
    const member = parameter === 'text' ? jsonMemberByKey(value, key) : jsonElementByIndex(value, key);
    return name === '->' ? member : jsonText(member);
  },
});

/** Compiles a subscript of jsonb. */
export function memberOf(value: Expression, index: Expression, place: number): Expression {
  if (index.type.name === 'text' || index.type.name === 'unknown') {
    const key = compileCast(index, text, index.at);
    return { sql: jsonMemberByPathStep(value.sql, key.sql), type: jsonb, at: place };
  }
  const key = compileAssignmentCast(index, toScalarType('integer'), index.at, 'the subscript of a jsonb');
  return { sql: jsonMemberByPathStep(value.sql, `toString(${key.sql})`), type: jsonb, at: place };
}

/** Parses the steps of a path literal: {a,b,0}. */
function stepsOf({ literal, at: place }: Expression): string[] {
  const inside = typeof literal === 'string' ? /^\s*\{([^{}"\\]*)\}\s*$/.exec(literal)?.[1] : undefined;
  if (inside === undefined)
    throw unsupportedSql(
      'a path of a jsonb that is not a constant',
      place,
      "Write it as a literal, as in '{a,b,0}', or use jsonb_extract_path(o, 'a', 'b').",
    );
  return inside.trim() === '' ? [] : inside.split(',').map((step) => step.trim());
}

const pathRule = (name: '#>' | '#>>'): FunctionRule => ({
  name,
  parameters: ['jsonb', 'any'],
  amongOthers: true,
  result: name === '#>' ? jsonb : text,
  emit: (args) => {
    let member = at(args, 0).sql;
    for (const step of stepsOf(at(args, 1))) member = jsonMemberByPathStep(member, quoteString(step));
    return name === '#>' ? member : jsonText(member);
  },
});

const extractPath = (name: string, isText: boolean): FunctionRule => ({
  name,
  parameters: ['jsonb', 'text'],
  variadic: true,
  result: isText ? text : jsonb,
  emit: ([value, ...steps]) => {
    if (value === undefined) throw new Error('Rules have their arguments counted.');
    const member = steps.reduce((from, step) => jsonMemberByPathStep(from, step.sql), value.sql);
    return isText ? jsonText(member) : member;
  },
});

const toJsonb: FunctionRule = {
  name: 'to_jsonb',
  parameters: ['typed'],
  result: jsonb,
  emit: (args) => {
    const value = at(args, 0);
    const absent = value.type.name === 'array' ? `empty(${value.sql})` : `isNull(${value.sql})`;
    return `if(${absent}, NULL, toNullable(${printJsonbText(value)}))`;
  },
};

const built: readonly FunctionRule[] = [
  {
    name: 'jsonb_build_array',
    parameters: ['any'],
    variadic: true,
    result: jsonb,
    emit: (args) => `toNullable(concat('[', ${args.map(printJsonbText).join(`, ', ', `)}, ']'))`,
  },
  {
    name: 'jsonb_build_object',
    parameters: ['any'],
    variadic: true,
    result: jsonb,
    emit: (args, place) => {
      if (args.length % 2 === 1) throw invalidSql('argument list must have even number of elements', place);
      const members = new Map<string, Expression>();
      for (let index = 0; index < args.length; index += 2) {
        const key = at(args, index);
        if (typeof key.literal !== 'string')
          throw unsupportedSql(
            'a key of jsonb_build_object that is not a constant',
            key.at,
            'Write the key as a literal in quotes.',
          );
        members.set(key.literal, at(args, index + 1));
      }
      const sorted = [...members].toSorted(([a], [b]) => compareKeys(a, b));
      const pieces = sorted.map(
        ([key, value]) => `${quoteString(`${JSON.stringify(key)}: `)}, ${printJsonbText(value)}`,
      );
      return `toNullable(concat('{', ${pieces.join(`, ', ', `)}, '}'))`;
    },
  },
];

/** The order of keys in jsonb: by their length in bytes, then by bytes. */
function compareKeys(a: string, b: string): number {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length - second.length || Buffer.compare(first, second);
}

/** Whether an object has any or all of several keys. Keys that are NULL do not count. */
const severalKeys = (name: string, has: 'hasAll' | 'hasAny'): FunctionRule => ({
  name,
  parameters: ['jsonb', 'text[]'],
  result: toScalarType('boolean'),
  emit: (args) => {
    const keys = `arrayMap(k -> concat('s', assumeNotNull(k)), arrayFilter(k -> isNotNull(k), ${fromArray('j_keys')}))`;
    const known = bindJsonValue(at(args, 0).sql, `toNullable(${has}(${listTaggedKeys('j_text')}, ${keys}))`);
    return letIn({ j_keys: at(args, 1).sql }, `if(empty(j_keys), NULL, ${known})`);
  },
});

/** @param order returns the operand that contains the other, and the contained one */
const containment = (
  name: string,
  order: (left: Expression, right: Expression) => readonly [whole: Expression, part: Expression],
): FunctionRule => ({
  name,
  parameters: ['jsonb', 'jsonb'],
  result: toScalarType('boolean'),
  emit: (args, place) => {
    const [whole, part] = order(at(args, 0), at(args, 1));
    if (part.literal === null) return nullOf(toScalarType('boolean'), place);
    if (part.json === undefined)
      throw unsupportedSql(
        `the operator jsonb ${name} jsonb with a part that is not a constant`,
        part.at,
        'Write the part as a literal, as in \'{"a": 1}\', or compare single members as text.',
      );
    return bindJsonValue(whole.sql, `toNullable(${compileJsonContainment('j_text', part.json, part.at)})`);
  },
});

export const jsonOperators: readonly FunctionRule[] = [
  arrow('->', 'text'),
  arrow('->', 'integer'),
  arrow('->>', 'text'),
  arrow('->>', 'integer'),
  pathRule('#>'),
  pathRule('#>>'),
  {
    name: '?',
    parameters: ['jsonb', 'text'],
    result: toScalarType('boolean'),
    emit: (args) =>
      bindJsonValue(at(args, 0).sql, `toNullable(${hasKey('j_text', 'j_key')})`, { j_key: at(args, 1).sql }),
  },
  severalKeys('?|', 'hasAny'),
  severalKeys('?&', 'hasAll'),
  containment('@>', (whole, part) => [whole, part]),
  containment('<@', (part, whole) => [whole, part]),
  unsupportedOverload('operator', '||', ['jsonb', 'jsonb']),
  ...(['text', 'integer', 'text[]'] as const).map((type) =>
    unsupportedOverload('operator', '-', ['jsonb', type]),
  ),
];

export const jsonFunctions: readonly FunctionRule[] = [
  {
    name: 'jsonb_typeof',
    parameters: ['jsonb'],
    result: text,
    emit: (args) => bindJsonValue(at(args, 0).sql, `toNullable(${jsonTypeOf('j_text')})`),
  },
  {
    name: 'jsonb_array_length',
    parameters: ['jsonb'],
    result: toScalarType('integer'),
    emit: (args) =>
      bindJsonValue(
        at(args, 0).sql,
        `if(startsWith(j_text, '['), toNullable(toInt64(${elementCount('j_text')})), NULL)`,
      ),
  },
  extractPath('jsonb_extract_path', false),
  extractPath('jsonb_extract_path_text', true),
  toJsonb,
  ...built,
];
