import { invalidSql, unsupportedSql } from '../sql-compile-error.ts';
import { insteadOfType, noArrayOfArrays } from '../instead.ts';
import { arrayType, numericType, numericDigits, toScalarType, type ScalarTypeName } from '../types.ts';
import { defaultNumericScale } from './numeric/number-casts.ts';
import type { CastTarget } from './function-rule.ts';

const names: Readonly<Record<string, ScalarTypeName>> = {
  bool: 'boolean',
  boolean: 'boolean',
  int2: 'smallint',
  smallint: 'smallint',
  int4: 'integer',
  int: 'integer',
  integer: 'integer',
  int8: 'bigint',
  bigint: 'bigint',
  float8: 'double precision',
  text: 'text',
  date: 'date',
  timestamp: 'timestamp',
  timestamptz: 'timestamptz',
  interval: 'interval',
  jsonb: 'jsonb',
};

/** PostgreSQL's types that are not supported. */
const missing = new Set(
  `aclitem bit bit_varying varbit box bpchar bytea char cid cidr circle daterange datemultirange float4 real inet
  int4range int8range int4multirange int8multirange json jsonpath line lseg macaddr macaddr8 money name numrange
  nummultirange oid path pg_lsn pg_snapshot point polygon record regclass regcollation regconfig regdictionary
  regnamespace regoper regoperator regproc regprocedure regrole regtype tid time timetz tsquery tsrange tsmultirange
  tstzrange tstzmultirange tsvector txid_snapshot uuid xid xid8 xml anyarray anyelement cstring void unknown refcursor
  int2vector oidvector`.split(/\s+/),
);

/**
 * Returns the type of a type name in a statement.
 * @param path the name in the syntax tree, with `pg_catalog` before names from the grammar
 * @param modifiers the numbers in parentheses; for an interval, as in the tree (fields, digits)
 */
export function typeFromName(
  path: readonly string[],
  modifiers: readonly number[],
  isArray: boolean,
  at: number,
): CastTarget {
  const name = path.at(-1) ?? '';
  const schemas = path.slice(0, -1);
  const known = schemas.length === 0 || (schemas.length === 1 && schemas[0] === 'pg_catalog');
  if (!known) throw invalidSql(`type "${path.join('.')}" does not exist`, at);
  const target = scalarTarget(name, modifiers, at);
  if (!isArray) return target;
  if (modifiers.length > 0)
    throw unsupportedSql(`an array of ${name} with a size`, at, `Write ${name}[] without a size.`);
  if (target.type.name === 'array' || target.type.name === 'unknown')
    throw unsupportedSql('an array of arrays', at, noArrayOfArrays);
  return { type: arrayType(target.type) };
}

/** The numbers of interval fields in the syntax tree. */
const intervalUnits: Readonly<Record<number, string>> = {
  2: 'month',
  4: 'year',
  8: 'day',
  1024: 'hour',
  2048: 'minute',
  4096: 'second',
};

function scalarTarget(name: string, modifiers: readonly number[], at: number): CastTarget {
  if (name === 'numeric' || name === 'decimal') return numericTarget(modifiers, at);
  if (name === 'varchar') return varcharTarget(modifiers, at);
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  if (found === undefined) {
    throw missing.has(name)
      ? unsupportedSql(`the type ${name}`, at, insteadOfType(name))
      : invalidSql(`type "${name}" does not exist`, at);
  }
  const [digits] = modifiers;
  if (digits === undefined) return { type: toScalarType(found) };
  if (found === 'timestamp' || found === 'timestamptz') {
    if (digits < 0) throw invalidSql(`${name}(${String(digits)}): the digits of seconds are 0 to 6`, at);
    return { type: toScalarType(found), secondsDigits: Math.min(digits, 6) };
  }
  if (found === 'interval') {
    const unit = modifiers.length === 1 ? intervalUnits[digits] : undefined;
    if (unit === undefined)
      throw unsupportedSql(
        'an interval of several fields or with digits',
        at,
        'Write interval alone, or with one field, as in interval day.',
      );
    return { type: toScalarType(found), unit };
  }
  throw invalidSql(`type modifier is not allowed for type "${name}"`, at);
}

function numericTarget([precision, scale = 0]: readonly number[], at: number): CastTarget {
  if (precision === undefined) return { type: numericType(defaultNumericScale), anyScale: true };
  if (precision < 1 || precision > 1000) {
    throw invalidSql(`NUMERIC precision ${String(precision)} must be between 1 and 1000`, at);
  }
  if (scale < -1000 || scale > 1000) {
    throw invalidSql(`NUMERIC scale ${String(scale)} must be between -1000 and 1000`, at);
  }
  if (precision > numericDigits || scale < 0 || scale > precision) {
    throw unsupportedSql(
      `numeric(${String(precision)}, ${String(scale)})`,
      at,
      `Use a precision of at most ${String(numericDigits)}, with a scale from 0 to the precision.`,
    );
  }
  return { type: numericType(scale), precision };
}

function varcharTarget([length]: readonly number[], at: number): CastTarget {
  if (length === undefined) return { type: toScalarType('text') };
  if (length < 1) throw invalidSql('length for type varchar must be at least 1', at);
  return { type: toScalarType('text'), length };
}
