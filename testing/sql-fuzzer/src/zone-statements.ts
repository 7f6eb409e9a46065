/*
 * Statements about time zones, to compare with PostgreSQL. PostgreSQL has its own version of the zone rules, and
 * Redoubt has the version of Node.js, so the statements use only zones whose rules have not changed for years.
 */

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Europe/Dublin',
  'America/St_Johns',
  'Etc/GMT+5',
];

/** All forms of zone names: abbreviations, names of files, and POSIX offsets. */
const names = [
  ...zones,
  'europe/berlin',
  'US/Pacific',
  'GB-Eire',
  'W-SU',
  'CET',
  'cest',
  'EST',
  'PST',
  'IST',
  'Z',
  'zulu',
  'GMT0',
  'GMT+5',
  'UTC',
  'utc-3',
  'UTC+05:30',
  '+05:30',
  '-8',
  '+2',
  '05:30',
  '+05:30:15',
  'XYZ+3',
  'America/Argentina/Buenos_Aires',
];

/** Timestamps around clock changes, before the first one, and long after the last rule. */
const moments = [
  '0044-03-15 12:00',
  '1883-11-18 17:00:00.5',
  '1916-04-30 22:30',
  '1969-12-31 23:59:59.999999',
  '2011-12-30 09:59:59',
  '2011-12-30 10:00',
  '2024-03-10 06:59:59.999999',
  '2024-03-10 07:00',
  '2024-03-31 00:59:59',
  '2024-03-31 01:30',
  '2024-03-31 02:30',
  '2024-10-05 15:45',
  '2024-10-27 00:30',
  '2024-10-27 01:00',
  '2024-10-27 02:30',
  '2024-11-03 01:30',
  '2024-11-03 06:00',
  '2088-07-01 12:00',
  '2101-03-27 01:00',
  '2500-10-31 00:59:59',
  '2501-07-04 03:00',
  '9998-07-01 00:00',
];

const units = ['millisecond', 'minute', 'hour', 'day', 'week', 'quarter', 'decade'];

const rows = moments
  .map((moment) => `(timestamp '${moment}')`)
  .concat('(null)')
  .join(', ');

export const zonesStatements: readonly string[] = [
  ...zones.flatMap((zone) => [
    `select t as a, (t at time zone 'UTC') at time zone '${zone}' as b, t at time zone '${zone}' as c from (values ${rows}) as v(t)`,
    `select t as a, ${units.map((unit, index) => `date_trunc('${unit}', t at time zone 'UTC', '${zone}') as u${String(index)}`).join(', ')} from (values ${rows}) as v(t)`,
  ]),
  ...names.map(
    (name) =>
      `select timestamptz '2024-07-01 12:00Z' at time zone '${name}' as a, timestamp '2024-01-01 12:00' at time zone '${name}' as b, timezone('${name}', timestamptz '1950-07-01 12:00Z') as c`,
  ),
  "select timestamptz '2024-07-01 12:00 Europe/Berlin' as a, timestamptz '2024-10-27 02:30:00.25America/New_York' as b, timestamp '2024-07-01 12:00 Europe/Berlin' as c, timestamptz '2024-07-01 PST' as d, date '2024-07-01 23:00 CEST' as e, timestamptz '3024-07-01 12:00 Australia/Sydney' as f, timestamptz '2024-07-01 12:00 Japan' as g, timestamptz '2024-07-01Z' as h",
  "select timestamptz '2024-07-01 12:00Z' at time zone interval '-08:00' as a, timestamp '2024-07-01 12:00' at time zone interval '5 hours 30 minutes' as b",
  "select timestamptz '2024-10-27 01:59:59.9999999 Europe/Berlin' as a, date '2024-07-01 24:00' as b, date '2024-07-01 23:59:59.9999999 EST' as c, timestamp '2024-07-01 12:00:00.0000025' as d, timestamptz '2024-07-01 12:00:00.1234565Z' as e, interval '0.0000025 seconds' as f, interval '00:00:00.0000035' as g, interval '0.0000015 s' as h, interval '-0.0000015 s' as i, interval '1.5 us' as j, interval '0.0035 ms' as k, interval '1 day 0.0000015' as l, interval '0.0000035 days' as m",
  "select timestamptz '2024-07-01 12:00Z' at time zone 'EST5EDT'::varchar(3) as a, date_trunc('day', timestamptz '2024-07-01 12:00Z', 'EST5EDT'::varchar(3)) as b, to_char(timestamp '2024-07-01', 'YYYY-MM'::varchar(4)) as c, 'abc' like 'ab%'::varchar(2) as d, 'abc' ~ 'abd'::varchar(2) as e, split_part('a,b', ',,'::varchar(1), 2) as f, trim('ab'::varchar(1) from 'aba') as g, jsonb_build_object('abc'::varchar(1), 2) @> '{\"a\": 2}' as h",
  "select make_timestamptz(2024, 7, 1, 12, 0, 0.5, 'Europe/Berlin') as a, make_timestamptz(2024, 7, 1, 12, 0, 0, '+05:30') as b, make_timestamptz(2024, 7, 1, 12, 0, 0, '-8') as c, make_timestamptz(2024, 7, 1, 12, 0, 0, 'EST') as d",
  "select date '2024-07-01' at time zone 'America/New_York' as a, joined::date at time zone 'Europe/Berlin' as b from people",
  "select joined at time zone 'UTC' at time zone 'Asia/Kolkata' as a, extract(hour from joined::timestamptz at time zone 'America/New_York') as b, to_char(joined::timestamptz at time zone 'Europe/Berlin', 'YYYY-MM-DD HH24:MI') as c from people",
  "select date_trunc('month', joined::timestamptz at time zone 'Europe/Berlin') as a, count(*) as b from people group by 1 order by 1",
  "select count(*) as a from people where joined::timestamptz >= timestamp '2020-01-01' at time zone 'Europe/Berlin'",
];

/** Statements that PostgreSQL rejects, too, with the error of each. */
export const wrongZones: Readonly<Record<string, RegExp>> = {
  "select now() at time zone 'Europe/Nowhere' as a": /time zone "Europe\/Nowhere" not recognized/,
  "select now() at time zone 'foo' as a": /time zone "foo" not recognized/,
  "select now() at time zone 'A\u017Fia/Tokyo' as a": /time zone "A\u017Fia\/Tokyo" not recognized/,
  "select now() at time zone '\u0131st' as a": /time zone "\u0131st" not recognized/,
  "select now() at time zone '' as a": /time zone "" not recognized/,
  "select now() at time zone ' UTC' as a": /time zone " UTC" not recognized/,
  "select now() at time zone interval '1 day' as a":
    /an interval that is a time zone must not include months or days/,
  "select date_trunc('day', now(), 'Mars/Olympus') as a": /time zone "Mars\/Olympus" not recognized/,
  "select date_trunc('fortnight', now(), 'Europe/Berlin') as a": /unit "fortnight" not recognized/,
  "select make_timestamptz(2024, 1, 1, 0, 0, 0, '5') as a":
    /invalid input syntax for type numeric time zone: "5"/,
  "select make_timestamptz(2024, 1, 1, 0, 0, 0, '+16') as a": /time zone displacement out of range: "\+16"/,
  "select timestamptz '2024-07-01 12:00 Europe/Nowhere' as a": /time zone "Europe\/Nowhere" not recognized/,
};

/** PostgreSQL statements that are not supported, with the error of each. */
export const unsupportedZones: Readonly<Record<string, RegExp>> = {
  [`select timestamptz '2024-01-01 12:00${' '.repeat(200_000)}!' as a`]:
    /the timestamptz "2024-01-01 12:00 {112}…" is not supported .*\. Write it as 2020-01-31/,
  "select now() at time zone 'MSK' as a": /the time zone "MSK" is not supported .*\. Write "Europe\/Moscow"/,
  "select now() at time zone 'posix/Europe/Berlin' as a": /the time zone "posix\/Europe\/Berlin"/,
  "select now() at time zone 'EST5EDT,M3.2.0,M11.1.0' as a": /the time zone "EST5EDT,M3\.2\.0,M11\.1\.0"/,
  'select now() at time zone name as a from people': /a time zone that is not a constant/,
  'select joined at time zone (joined - joined) as a from people': /a time zone that is not a constant/,
  "select make_timestamptz(2024, 1, 1, 0, 0, 0, '+5:30:15') as a":
    /the time zone "\+5:30:15" is not supported .*\. Write it as \+01:30, or by its name/,
  "select now() at time zone interval '600000 hours' as a": /an interval of so many hours as a time zone/,
  "select timestamptz '2024-07-01 12:00 MSK' as a":
    /the time zone "MSK" is not supported .*\. Write "Europe\/Moscow"/,
};
