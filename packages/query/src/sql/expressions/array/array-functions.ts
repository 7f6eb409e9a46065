import { letIn } from '../engine-sql.ts';
import { quoteString } from '../../../storage/quoting.ts';
import type { Expression } from '../../expression.ts';
import { unsupportedSql } from '../../sql-compile-error.ts';
import { arrayType, engineType, toScalarType, printType, type SqlType } from '../../types.ts';
import { elementOf, fromArray } from './array-values.ts';
import { groupKey } from '../ordering.ts';
import { castToText } from '../json/print-json.ts';
import { unsupportedFunction } from '../unsupported.ts';
import type { FunctionRule } from '../function-rule.ts';

const integer = toScalarType('integer');
const text = toScalarType('text');

const at = (args: readonly Expression[], index: number): Expression => {
  const found = args[index];
  if (found === undefined) throw new Error('Rules have their arguments counted.');
  return found;
};

const typeOf =
  (index: number) =>
  (args: readonly Expression[]): SqlType =>
    at(args, index).type;

const elementTypeOf = (array: Expression): SqlType =>
  array.type.name === 'array' ? array.type.element : array.type;

/** Maps the elements of an array to keys, which are equal for equal elements. */
function keysOf(array: Expression, list: string): string {
  if (array.type.name !== 'array') throw new Error('Rules have their types checked.');
  const key = keyOf(elementOf(array.type.element, 'k', array.at));
  return key === 'k' ? list : `arrayMap(k -> ${key}, ${list})`;
}

const keyOf = (value: Expression): string => groupKey(value, 'comparing');

/** Compiles `body` with the elements bound to `a_list`; NULL for a NULL array. */
const ofList = (array: Expression, body: string, others: Readonly<Record<string, string>> = {}): string =>
  letIn(
    { a_array: array.sql, ...others },
    letIn({ a_list: fromArray('a_array') }, `if(empty(a_array), NULL, ${body})`),
  );

/** Wraps elements as an array of the type. */
const made = (elements: string, type: SqlType): string => `CAST([${elements}] AS ${engineType(type)})`;

/**
 * Compiles a new array: `body` computes its elements, with the old elements bound to `a_list`. NULL for a NULL array.
 */
const changed = (array: Expression, body: string, others: Readonly<Record<string, string>> = {}): string =>
  letIn({ ...others, a_array: array.sql }, `arrayMap(a_list -> ${body}, a_array)`);

const dimension = (args: readonly Expression[]): string => {
  const { literal, at: place } = at(args, 1);
  if (typeof literal !== 'string')
    throw unsupportedSql(
      'a dimension of an array that is not a constant',
      place,
      'Write 1: arrays have one dimension.',
    );
  return literal === '1' ? 'true' : 'false';
};

const lengths: readonly FunctionRule[] = [
  {
    name: 'cardinality',
    parameters: ['array'],
    result: integer,
    emit: (args) => ofList(at(args, 0), 'toNullable(toInt64(length(a_list)))'),
  },
  ...['array_length', 'array_upper'].map((name): FunctionRule => ({
    name,
    parameters: ['array', 'integer'],
    result: integer,
    emit: (args) => ofList(at(args, 0), `if(${dimension(args)}, nullIf(toInt64(length(a_list)), 0), NULL)`),
  })),
  {
    name: 'array_lower',
    parameters: ['array', 'integer'],
    result: integer,
    emit: (args) =>
      ofList(at(args, 0), `if(${dimension(args)} AND notEmpty(a_list), toNullable(toInt64(1)), NULL)`),
  },
  {
    name: 'array_ndims',
    parameters: ['array'],
    result: integer,
    emit: (args) => ofList(at(args, 0), 'if(empty(a_list), NULL, toNullable(toInt64(1)))'),
  },
];

/** Compiles the predicate that an element equals the value to find. NULL equals NULL. */
const isSought = (key: string): string =>
  `((isNull(${key}) AND isNull(a_sought)) OR ifNull(${key} = a_sought, false))`;

const searches: readonly FunctionRule[] = [
  {
    name: 'array_position',
    parameters: ['array of same', 'same'],
    result: integer,
    emit: (args) => {
      const list = keysOf(at(args, 0), 'a_list');
      const place = `arrayFirstIndex(v -> ${isSought('v')}, ${list})`;
      return ofList(at(args, 0), `nullIf(toInt64(${place}), 0)`, { a_sought: keyOf(at(args, 1)) });
    },
  },
  unsupportedFunction('array_position', 'array of same', 'same', 'integer'),
  {
    name: 'array_positions',
    parameters: ['array of same', 'same'],
    result: arrayType(integer),
    emit: (args) => {
      const list = keysOf(at(args, 0), 'a_list');
      const places = `arrayFilter((i, v) -> ${isSought('v')}, arrayEnumerate(a_list), ${list})`;
      const body = `arrayMap(i -> toNullable(toInt64(i)), ${places})`;
      return changed(at(args, 0), body, { a_sought: keyOf(at(args, 1)) });
    },
  },
  {
    name: 'array_remove',
    parameters: ['array of same', 'same'],
    result: typeOf(0),
    emit: (args) => {
      const list = keysOf(at(args, 0), 'a_list');
      const body = `arrayFilter((v, k) -> NOT ${isSought('k')}, a_list, ${list})`;
      return changed(at(args, 0), body, { a_sought: keyOf(at(args, 1)) });
    },
  },
  {
    name: 'array_replace',
    parameters: ['array of same', 'same', 'same'],
    result: typeOf(0),
    emit: (args) => {
      const list = keysOf(at(args, 0), 'a_list');
      const body = `arrayMap((v, k) -> if(${isSought('k')}, a_new, v), a_list, ${list})`;
      return changed(at(args, 0), body, { a_sought: keyOf(at(args, 1)), a_new: at(args, 2).sql });
    },
  },
];

/** Concatenates arrays. A NULL array counts as empty. */
const joined = (first: Expression, second: Expression): string => {
  const both = `arrayConcat(${fromArray('a_first')}, ${fromArray('a_second')})`;
  const values = { a_first: first.sql, a_second: second.sql };
  const nothing = `CAST([] AS ${engineType(first.type)})`;
  return letIn(values, `if(empty(a_first) AND empty(a_second), ${nothing}, ${made(both, first.type)})`);
};

const appended = (array: Expression, value: Expression): string =>
  made(`arrayConcat(${fromArray(array.sql)}, [${value.sql}])`, array.type);

const prepended = (value: Expression, array: Expression): string =>
  made(`arrayConcat([${value.sql}], ${fromArray(array.sql)})`, array.type);

const joinRules = (names: { cat: string; append: string; prepend: string }): FunctionRule[] => [
  {
    name: names.cat,
    parameters: ['array of same', 'array of same'],
    result: typeOf(0),
    emit: (args) => joined(at(args, 0), at(args, 1)),
  },
  {
    name: names.append,
    parameters: ['array of same', 'same'],
    result: typeOf(0),
    emit: (args) => appended(at(args, 0), at(args, 1)),
  },
  {
    name: names.prepend,
    parameters: ['same', 'array of same'],
    result: typeOf(1),
    emit: (args) => prepended(at(args, 0), at(args, 1)),
  },
];

/** The text of an element in array_to_string. A boolean is one letter. */
function elementText(element: SqlType, sql: string, place: number): string {
  if (element.name === 'boolean') return `if(${sql}, 't', 'f')`;
  if (element.name === 'array' || element.name === 'unknown') {
    throw unsupportedSql(
      `array_to_string of ${printType(element)}`,
      place,
      'Use string_agg over the rows of unnest.',
    );
  }
  return castToText({ sql, type: element, at: place });
}

function arrayToString(args: readonly Expression[]): string {
  const [array, delimiter, absent] = [at(args, 0), at(args, 1), args[2]];
  const written = elementText(elementTypeOf(array), 'v', array.at);
  const others = { a_delimiter: delimiter.sql, ...(absent === undefined ? {} : { a_absent: absent.sql }) };
  const texts = `arrayMap(v -> if(isNull(v), ${absent === undefined ? 'NULL' : 'a_absent'}, ${written}), a_list)`;
  const pieces = `arrayMap(t -> assumeNotNull(t), arrayFilter(t -> isNotNull(t), ${texts}))`;
  const all = `arrayStringConcat(arrayMap((t, i) -> if(i = 1, t, concat(assumeNotNull(a_delimiter), t)), a_pieces, arrayEnumerate(a_pieces)))`;
  const body = `if(isNull(a_delimiter), NULL, toNullable(${letIn({ a_pieces: pieces }, all)}))`;
  return ofList(array, body, others);
}

function stringToArray(args: readonly Expression[]): string {
  const [value, delimiter, absent] = [at(args, 0), at(args, 1), args[2]];
  const { literal } = delimiter;
  if (literal === undefined)
    throw unsupportedSql(
      'string_to_array with a delimiter that is not a constant',
      delimiter.at,
      'Write the delimiter as a literal in quotes.',
    );
  const source = 'assumeNotNull(s_text)';
  const split =
    literal === null
      ? `extractAll(${source}, '(?s).')`
      : literal === ''
        ? `[${source}]`
        : `splitByString(${quoteString(literal)}, ${source})`;
  const pieces =
    absent === undefined
      ? `arrayMap(p -> toNullable(p), ${split})`
      : `arrayMap(p -> nullIf(p, s_absent), ${split})`;
  const type = engineType(arrayType(text));
  const list = `if(empty(${source}), CAST([[]] AS ${type}), CAST([${pieces}] AS ${type}))`;
  return letIn(
    { s_text: value.sql, ...(absent === undefined ? {} : { s_absent: absent.sql }) },
    `if(isNull(s_text), CAST([] AS ${type}), ${list})`,
  );
}

const texts: readonly FunctionRule[] = [
  ...[false, true].map((withNull): FunctionRule => ({
    name: 'array_to_string',
    parameters: withNull ? ['array', 'text', 'text'] : ['array', 'text'],
    result: text,
    emit: arrayToString,
  })),
  ...[false, true].map((withNull): FunctionRule => ({
    name: 'string_to_array',
    parameters: withNull ? ['text', 'text', 'text'] : ['text', 'text'],
    result: arrayType(text),
    emit: stringToArray,
  })),
];

/** Compiles the predicate that every element of `part` equals an element of `whole`. NULL equals nothing. */
const contains = (whole: Expression, part: Expression): string => {
  const [all, some] = [fromArray('a_whole'), fromArray('a_part')].map((list) => keysOf(whole, list)) as [
    string,
    string,
  ];
  const holds = `NOT arrayExists(v -> isNull(v), ${some}) AND hasAll(${all}, ${some})`;
  return letIn(
    { a_whole: whole.sql, a_part: part.sql },
    `if(empty(a_whole) OR empty(a_part), NULL, ${holds})`,
  );
};

const overlaps = (first: Expression, second: Expression): string => {
  const lists = [fromArray('a_first'), fromArray('a_second')].map(
    (list) => `arrayFilter(v -> isNotNull(v), ${keysOf(first, list)})`,
  );
  return letIn(
    { a_first: first.sql, a_second: second.sql },
    `if(empty(a_first) OR empty(a_second), NULL, hasAny(${lists.join(', ')}))`,
  );
};

const containment = (
  name: string,
  emit: (first: Expression, second: Expression) => string,
): FunctionRule => ({
  name,
  parameters: ['array of one', 'array of one'],
  amongOthers: true,
  result: toScalarType('boolean'),
  emit: (args) => emit(at(args, 0), at(args, 1)),
});

export const arrayOperators: readonly FunctionRule[] = [
  ...joinRules({ cat: '||', append: '||', prepend: '||' }),
  containment('@>', contains),
  containment('<@', (part, whole) => contains(whole, part)),
  containment('&&', overlaps),
];

export const arrayFunctions: readonly FunctionRule[] = [
  ...lengths,
  ...searches,
  ...joinRules({ cat: 'array_cat', append: 'array_append', prepend: 'array_prepend' }),
  ...texts,
];
