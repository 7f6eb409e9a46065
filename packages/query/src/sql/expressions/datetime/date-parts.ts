import { fromUnscaledInteger } from '../numeric/numeric-scale.ts';
import type { Expression } from '../../expression.ts';
import { invalidSql, unsupportedSql } from '../../sql-compile-error.ts';
import { numericType, toScalarType, type NumericType, type ScalarType } from '../../types.ts';
import {
  intervalTimeOf,
  intervalDaysOf,
  intervalOf,
  monthsOf,
  bindIntervalParts,
} from './interval-values.ts';
import { daysOf, microsOf, microsPerDay, signed, toTimestampOrNull } from './timestamps.ts';
import type { FunctionRule } from '../function-rule.ts';
import { letOperandsIn } from '../engine-sql.ts';
import { requireTimeZone } from './time-zones.ts';
import { truncateInZone, utcToLocal, localToUtc } from './zoned-timestamps.ts';

/** The fields of dates and times, each with all its names in PostgreSQL. */
const spellings: Record<string, string> = {
  microseconds: 'microseconds microsecond us usec usecs usecond useconds',
  milliseconds: 'milliseconds millisecond ms msec msecs mseconds',
  second: 'second seconds s sec secs',
  minute: 'minute minutes m min mins',
  hour: 'hour hours h hr hrs',
  day: 'day days d',
  week: 'week weeks w',
  month: 'month months mon mons',
  quarter: 'quarter qtr',
  year: 'year years y yr yrs',
  decade: 'decade decades dec decs',
  century: 'century centuries c cent',
  millennium: 'millennium millennia mil mils',
  dow: 'dow',
  doy: 'doy',
  isodow: 'isodow',
  isoyear: 'isoyear',
  epoch: 'epoch',
  julian: 'julian jd j',
  timezone: 'timezone',
  timezone_hour: 'timezone_hour',
  timezone_minute: 'timezone_minute',
};

const fieldNames = new Map(
  Object.entries(spellings).flatMap(([field, names]) =>
    names.split(' ').map((name) => [name, field] as const),
  ),
);

/** Returns the field that a literal names. */
function fieldOf(e: Expression, type: string): string {
  if (typeof e.literal !== 'string')
    throw unsupportedSql(
      'a field of a date that is not a constant',
      e.at,
      "Write the field as a literal, as in 'year'.",
    );
  const field = fieldNames.get(e.literal.toLowerCase());
  if (field === undefined) throw invalidSql(`unit "${e.literal}" not recognized for type ${type}`, e.at);
  if (field === 'julian')
    throw unsupportedSql('the Julian day', e.at, "Write d - date '2000-01-01' + 2451545.");
  return field;
}

/** A field as an integer, in units of its last digit. */
interface Field {
  readonly sql: string;
  /** The field as a double, if PostgreSQL computes the double in another way than the numeric. */
  readonly double?: string;
  /** The number of digits after the point. */
  readonly scale: number;
}

const whole = (sql: string): Field => ({ sql, scale: 0 });

/** The fields of dates. */
const calendarFields: Record<string, (date: string) => string> = {
  day: (date) => `toDayOfMonth(${date})`,
  week: (date) => `toISOWeek(${date})`,
  month: (date) => `toMonth(${date})`,
  quarter: (date) => `toQuarter(${date})`,
  year: (date) => `toYear(${date})`,
  decade: (date) => `intDiv(toYear(${date}), 10)`,
  century: (date) => `intDiv(toYear(${date}) + 99, 100)`,
  millennium: (date) => `intDiv(toYear(${date}) + 999, 1000)`,
  dow: (date) => `toDayOfWeek(${date}) % 7`,
  isodow: (date) => `toDayOfWeek(${date})`,
  doy: (date) => `toDayOfYear(${date})`,
  isoyear: (date) => `toISOYear(${date})`,
};

const minuteMicros = 60_000_000;
const hourMicros = 3_600_000_000;

/** The fields of the time of day, from the microseconds since midnight. */
const clockFields: Record<string, (micros: string) => Field> = {
  microseconds: (micros) => whole(`(${micros} % ${signed(minuteMicros)})`),
  milliseconds: (micros) => ({ sql: `(${micros} % ${signed(minuteMicros)})`, scale: 3 }),
  second: (micros) => ({ sql: `(${micros} % ${signed(minuteMicros)})`, scale: 6 }),
  minute: (micros) => whole(`intDiv(${micros} % ${signed(hourMicros)}, ${signed(minuteMicros)})`),
  hour: (micros) => whole(`intDiv(${micros}, ${signed(hourMicros)})`),
};

const zoneFields: ReadonlySet<string> = new Set(['timezone', 'timezone_hour', 'timezone_minute']);

function timestampField(field: string, { sql, type, at }: Expression): Field {
  if (field === 'epoch') return { sql: microsOf(sql), scale: 6 };
  if (zoneFields.has(field)) {
    if (type.name === 'timestamp')
      throw invalidSql(`unit "${field}" not supported for type timestamp without time zone`, at);
    return whole(`if(isNull(${sql}), NULL, 0)`);
  }
  const clock = clockFields[field];
  if (clock !== undefined) return clock(`positiveModulo(${microsOf(sql)}, ${signed(microsPerDay)})`);
  return whole(calendarFields[field]?.(sql) ?? 'NULL');
}

function dateField(field: string, { sql, at }: Expression): Field {
  if (field === 'epoch') return whole(`${daysOf(sql)} * 86400`);
  const calendar = calendarFields[field];
  if (calendar === undefined) throw invalidSql(`unit "${field}" not supported for type date`, at);
  return whole(calendar(sql));
}

/** The fields of the months of an interval. */
const monthFields: Record<string, (months: string) => string> = {
  month: (months) => `(${months} % 12)`,
  quarter: (months) => `(intDiv(${months} % 12, 3) + 1)`,
  year: (months) => `intDiv(${months}, 12)`,
  decade: (months) => `intDiv(${months}, 120)`,
  century: (months) => `intDiv(${months}, 1200)`,
  millennium: (months) => `intDiv(${months}, 12000)`,
};

/** The seconds of an interval. A year counts 365.25 days, and each remaining month 30 days. */
const epochOf = (sql: string): Field => {
  const years = 'intDiv(e_months, 12)';
  const months = '(e_months % 12)';
  const exact = `(toInt256(${years} * 1461 + ${months} * 120 + e_days * 4) * 21600000000 + e_micros)`;
  const double = `(e_micros / 1000000. + 31557600. * ${years} + 2592000. * ${months} + 86400. * e_days)`;
  return {
    sql: bindIntervalParts('e', sql, () => exact),
    double: bindIntervalParts('e', sql, () => double),
    scale: 6,
  };
};

function intervalField(field: string, { sql, at }: Expression): Field {
  if (field === 'epoch') return epochOf(sql);
  if (field === 'day') return whole(intervalDaysOf(sql));
  const ofMonths = monthFields[field];
  if (ofMonths !== undefined) return whole(ofMonths(monthsOf(sql)));
  const clock = clockFields[field];
  if (clock === undefined) throw invalidSql(`unit "${field}" not supported for type interval`, at);
  return clock(intervalTimeOf(sql));
}

type Moment = 'date' | 'interval' | 'timestamp' | 'timestamptz';

const moments: readonly Moment[] = ['timestamp', 'timestamptz', 'date', 'interval'];

const readers: Record<Moment, (field: string, value: Expression) => Field> = {
  date: dateField,
  interval: intervalField,
  timestamp: timestampField,
  timestamptz: timestampField,
};

function readField([name, value]: readonly Expression[], type: Moment): { field: Field; at: number } {
  if (name === undefined || value === undefined) throw new Error('Rules have their arguments counted.');
  return { field: readers[type](fieldOf(name, type), value), at: value.at };
}

const decimal = ({ sql, scale }: Field): { sql: string; type: NumericType } => {
  const type = numericType(scale);
  return {
    sql: `CAST(${fromUnscaledInteger(`toInt256(${sql})`, scale)} AS Nullable(Decimal(76, ${String(scale)})))`,
    type,
  };
};

const double = (field: Field): { sql: string; type: ScalarType } => {
  const { sql, scale } = field;
  const value = field.double ?? (scale === 0 ? sql : `toFloat64(${sql}) / 1e${String(scale)}`);
  return { sql: `CAST(${value} AS Nullable(Float64))`, type: toScalarType('double precision') };
};

/** Fields that only PostgreSQL's date_part supports for dates: it treats a date as a timestamp at midnight. */
const asTimestamp = (value: Expression): Expression => ({
  ...value,
  sql: `toDateTime64(${value.sql}, 6, 'UTC')`,
});

const partRules = moments.flatMap((type): FunctionRule[] => [
  {
    name: 'extract',
    parameters: ['text', type],
    result: numericType(0),
    emit: (args) => {
      const { field, at } = readField(args, type);
      return { ...decimal(field), at };
    },
  },
  {
    name: 'date_part',
    parameters: ['text', type],
    result: toScalarType('double precision'),
    emit: ([name, value]) => {
      if (name === undefined || value === undefined) throw new Error('Rules have their arguments counted.');
      const isDate = type === 'date';
      const { field, at } = readField(
        [name, isDate ? asTimestamp(value) : value],
        isDate ? 'timestamp' : type,
      );
      return { ...double(field), at };
    },
  },
]);

const clockUnits: Record<string, number> = {
  microseconds: 1,
  milliseconds: 1000,
  second: 1_000_000,
  minute: minuteMicros,
  hour: hourMicros,
  day: microsPerDay,
};

/** Engine SQL of the days since the start of the unit. */
const daysInto: Record<string, (timestamp: string) => string> = {
  week: (timestamp) => `(toDayOfWeek(${timestamp}) - 1)`,
  month: (timestamp) => `(toDayOfMonth(${timestamp}) - 1)`,
  year: (timestamp) => `(toDayOfYear(${timestamp}) - 1)`,
};

/** Engine SQL of the first year of a unit that is longer than a year. */
const firstYears: Record<string, (year: string) => string> = {
  decade: (year) => `intDiv(${year}, 10) * 10`,
  century: (year) => `intDiv(${year} - 1, 100) * 100 + 1`,
  millennium: (year) => `intDiv(${year} - 1, 1000) * 1000 + 1`,
};

function truncatedAt(field: string, sql: string, at: number): string {
  const micros = microsOf(sql);
  const unit = clockUnits[field];
  if (unit !== undefined)
    return toTimestampOrNull(`(${micros} - positiveModulo(${micros}, ${signed(unit)}))`);
  const start = (days: string): string =>
    `(${micros} - positiveModulo(${micros}, ${signed(microsPerDay)}) - toInt64(${days}) * ${signed(microsPerDay)})`;
  const into = daysInto[field];
  if (into !== undefined) return toTimestampOrNull(start(into(sql)));
  if (field === 'quarter') {
    const month = toTimestampOrNull(start(`(toDayOfMonth(${sql}) - 1)`));
    return `addMonths(${month}, -((toMonth(${sql}) - 1) % 3))`;
  }
  const first = firstYears[field];
  if (first === undefined) throw invalidSql(`unit "${field}" not supported for date_trunc`, at);
  const year = `toInt32(toYear(${sql}))`;
  const begin = `greatest(${first(year)}, 1)`;
  return `if(${first(year)} < 1, NULL, addYears(${toTimestampOrNull(start(`(toDayOfYear(${sql}) - 1)`))}, ${begin} - ${year}))`;
}

/** The lengths of the units from a month on, in months. */
const unitMonths: Record<string, number> = {
  month: 1,
  quarter: 3,
  year: 12,
  decade: 120,
  century: 1200,
  millennium: 12_000,
};

function truncatedInterval(field: string, { sql, at }: Expression): string {
  const unit = clockUnits[field];
  const size = unitMonths[field];
  return bindIntervalParts('c', sql, ({ months, days, micros }) => {
    if (field === 'day') return intervalOf({ months, days, micros: 'toInt64(0)' });
    if (unit !== undefined)
      return intervalOf({ months, days, micros: `${micros} - ${micros} % ${signed(unit)}` });
    if (size === undefined)
      throw unsupportedSql(
        `date_trunc of an interval to its ${field}`,
        at,
        'Truncate it to year, month, day, hour, minute or second.',
      );
    return intervalOf({
      months: `${months} - ${months} % ${String(size)}`,
      days: 'toInt64(0)',
      micros: 'toInt64(0)',
    });
  });
}

const truncationRules = (['timestamp', 'timestamptz', 'interval'] as const).map((type): FunctionRule => ({
  name: 'date_trunc',
  parameters: ['text', type],
  result: toScalarType(type),
  emit: ([name, value]) => {
    if (name === undefined || value === undefined) throw new Error('Rules have their arguments counted.');
    const field = fieldOf(name, type);
    if (type === 'interval') return truncatedInterval(field, value);
    return letOperandsIn([value.sql], (moment) => truncatedAt(field, moment, value.at));
  },
}));

/** date_trunc with a time zone. For units shorter than a day, the result keeps the offset of the argument. */
const zonedTruncation: FunctionRule = {
  name: 'date_trunc',
  parameters: ['text', 'timestamptz', 'text'],
  result: toScalarType('timestamptz'),
  emit: ([name, value, zoneName]) => {
    if (name === undefined || value === undefined || zoneName === undefined)
      throw new Error('Rules have their arguments counted.');
    const field = fieldOf(name, 'timestamptz');
    const zone = requireTimeZone(zoneName);
    const unit = clockUnits[field];
    if (unit !== undefined && unit < microsPerDay) return truncateInZone(value.sql, zone, unit);
    return letOperandsIn([utcToLocal(value.sql, zone)], (local) =>
      localToUtc(truncatedAt(field, local, value.at), zone),
    );
  },
};

export const datePartRules: readonly FunctionRule[] = [...partRules, ...truncationRules, zonedTruncation];
