import type { Expression } from '../expression.ts';
import { invalid, unsupported } from '../fault.ts';
import { isByLength, numeric, scalar, type NumericType, type ScalarType } from '../types.ts';
import { daysOf, microsOf, microsPerDay, signed, timestampWithin } from './moments.ts';
import { decimalOf } from './quotients.ts';
import type { FunctionRule } from './rule.ts';

/** Fields of dates and times under all names that PostgreSQL knows them by. */
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

/** The field that a literal names. */
function fieldOf(e: Expression, type: string): string {
  if (typeof e.literal !== 'string') throw unsupported('a field of a date that is not written out', e.at);
  const field = fieldNames.get(e.literal.toLowerCase());
  if (field === undefined) throw invalid(`unit "${e.literal}" not recognized for type ${type}`, e.at);
  if (field === 'julian') throw unsupported('the Julian day', e.at);
  return field;
}

/** A field as a whole number in units of its last digit. */
interface Field {
  readonly sql: string;
  /** Digits after the point. */
  readonly scale: number;
}

const whole = (sql: string): Field => ({ sql, scale: 0 });

/** Fields that dates have as well. */
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

/** Fields of the time of day, of the microseconds since its beginning. */
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
      throw invalid(`unit "${field}" not supported for type timestamp without time zone`, at);
    return whole(`if(isNull(${sql}), NULL, 0)`);
  }
  const clock = clockFields[field];
  if (clock !== undefined) return clock(`positiveModulo(${microsOf(sql)}, ${signed(microsPerDay)})`);
  return whole(calendarFields[field]?.(sql) ?? 'NULL');
}

function dateField(field: string, { sql, at }: Expression): Field {
  if (field === 'epoch') return whole(`${daysOf(sql)} * 86400`);
  const calendar = calendarFields[field];
  if (calendar === undefined) throw invalid(`unit "${field}" not supported for type date`, at);
  return whole(calendar(sql));
}

const constant = (value: number): string => `toNullable(toInt64(${String(value)}))`;

/** Fields of the months of an interval; one that is not written out has none. */
const monthFields: Record<string, (months: number) => number> = {
  month: (months) => months % 12,
  quarter: (months) => Math.trunc((months % 12) / 3) + 1,
  year: (months) => Math.trunc(months / 12),
  decade: (months) => Math.trunc(months / 120),
  century: (months) => Math.trunc(months / 1200),
  millennium: (months) => Math.trunc(months / 12_000),
};

function intervalField(field: string, value: Expression): Field {
  const { interval, at } = value;
  if (field === 'epoch') return { sql: value.sql, scale: 6 };
  const ofMonths = monthFields[field];
  if (ofMonths !== undefined) {
    const count = ofMonths(interval?.months ?? 0);
    return whole(
      interval === undefined ? `if(isNull(${value.sql}), NULL, ${constant(count)})` : constant(count),
    );
  }
  if (interval === undefined && !isByLength(value.type)) {
    throw unsupported(`the ${field} of an interval that was computed`, at);
  }
  // "36 hours" that are written out have no day.
  if (field === 'day') {
    return whole(
      interval === undefined ? `intDiv(${value.sql}, ${signed(microsPerDay)})` : constant(interval.days),
    );
  }
  const clock = clockFields[field];
  if (clock === undefined) throw invalid(`unit "${field}" not supported for type interval`, at);
  return clock(
    interval === undefined ? `(${value.sql} % ${signed(microsPerDay)})` : constant(interval.micros),
  );
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
  const type = numeric(scale);
  return {
    sql: `CAST(${decimalOf(`toInt256(${sql})`, scale)} AS Nullable(Decimal(76, ${String(scale)})))`,
    type,
  };
};

const double = ({ sql, scale }: Field): { sql: string; type: ScalarType } => ({
  sql: `CAST(${scale === 0 ? sql : `toFloat64(${sql}) / 1e${String(scale)}`} AS Nullable(Float64))`,
  type: scalar('double precision'),
});

/** The fields of a date that only PostgreSQL's date_part reads, since it takes a date for its first moment. */
const asMoment = (value: Expression): Expression => ({
  ...value,
  sql: `toDateTime64(${value.sql}, 6, 'UTC')`,
});

const partRules = moments.flatMap((type): FunctionRule[] => [
  {
    name: 'extract',
    parameters: ['text', type],
    result: numeric(0),
    emit: (args) => {
      const { field, at } = readField(args, type);
      return { ...decimal(field), at };
    },
  },
  {
    name: 'date_part',
    parameters: ['text', type],
    result: scalar('double precision'),
    emit: ([name, value]) => {
      if (name === undefined || value === undefined) throw new Error('Rules have their arguments counted.');
      const isDate = type === 'date';
      const { field, at } = readField([name, isDate ? asMoment(value) : value], isDate ? 'timestamp' : type);
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

/** How far a day is behind the beginning of its unit, in days. */
const daysInto: Record<string, (timestamp: string) => string> = {
  week: (timestamp) => `(toDayOfWeek(${timestamp}) - 1)`,
  month: (timestamp) => `(toDayOfMonth(${timestamp}) - 1)`,
  year: (timestamp) => `(toDayOfYear(${timestamp}) - 1)`,
};

/** The first year of a longer unit. */
const firstYears: Record<string, (year: string) => string> = {
  decade: (year) => `intDiv(${year}, 10) * 10`,
  century: (year) => `intDiv(${year} - 1, 100) * 100 + 1`,
  millennium: (year) => `intDiv(${year} - 1, 1000) * 1000 + 1`,
};

function truncated(field: string, { sql, at }: Expression): string {
  const micros = microsOf(sql);
  const unit = clockUnits[field];
  if (unit !== undefined) return timestampWithin(`(${micros} - positiveModulo(${micros}, ${signed(unit)}))`);
  const start = (days: string): string =>
    `(${micros} - positiveModulo(${micros}, ${signed(microsPerDay)}) - toInt64(${days}) * ${signed(microsPerDay)})`;
  const into = daysInto[field];
  if (into !== undefined) return timestampWithin(start(into(sql)));
  if (field === 'quarter') {
    const month = timestampWithin(start(`(toDayOfMonth(${sql}) - 1)`));
    return `addMonths(${month}, -((toMonth(${sql}) - 1) % 3))`;
  }
  const first = firstYears[field];
  if (first === undefined) throw invalid(`unit "${field}" not supported for date_trunc`, at);
  const year = `toInt32(toYear(${sql}))`;
  const begin = `greatest(${first(year)}, 1)`;
  return `if(${first(year)} < 1, NULL, addYears(${timestampWithin(start(`(toDayOfYear(${sql}) - 1)`))}, ${begin} - ${year}))`;
}

function truncatedInterval(field: string, { sql, at }: Expression): string {
  const unit = clockUnits[field];
  if (unit !== undefined) return `(${sql} - ${sql} % ${signed(unit)})`;
  if (field === 'week') throw unsupported('weeks of an interval', at);
  return `if(isNull(${sql}), NULL, toInt64(0))`;
}

const truncationRules = (['timestamp', 'timestamptz', 'interval'] as const).map((type): FunctionRule => ({
  name: 'date_trunc',
  parameters: ['text', type],
  result: scalar(type),
  emit: ([name, value]) => {
    if (name === undefined || value === undefined) throw new Error('Rules have their arguments counted.');
    const field = fieldOf(name, type);
    return type === 'interval' ? truncatedInterval(field, value) : truncated(field, value);
  },
}));

export const datePartRules: readonly FunctionRule[] = [...partRules, ...truncationRules];
