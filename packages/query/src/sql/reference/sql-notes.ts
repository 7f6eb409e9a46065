import { castNames } from '../expressions/functions.ts';
import { numericDigits } from '../types.ts';
import { sqlLimits } from '../statement/parse-sql.ts';

/** Example statements on the demo's datasets. */
export const sqlExamples: readonly string[] = [
  "SELECT ident, name, elevation_ft FROM navaids\nWHERE type = 'VOR' AND elevation_ft > 3000\nORDER BY elevation_ft DESC",
  'SELECT c.name, count(*) AS aids, round(avg(n.elevation_ft)) AS height\nFROM navaids n JOIN countries c ON c.code = n.iso_country\nGROUP BY c.name HAVING count(*) > 100 ORDER BY aids DESC',
  'WITH busy AS (SELECT iso_country FROM navaids GROUP BY iso_country HAVING count(*) > 500)\nSELECT name FROM countries WHERE code IN (SELECT iso_country FROM busy)',
  'SELECT DISTINCT ON (iso_country) iso_country, name, elevation_ft FROM navaids\nWHERE elevation_ft IS NOT NULL ORDER BY iso_country, elevation_ft DESC',
  "SELECT word, count(*) AS aids FROM navaids, string_to_table(name, ' ') AS word\nGROUP BY word ORDER BY aids DESC LIMIT 10",
  "SELECT type, count(*) FILTER (WHERE power = 'HIGH') AS strong, percentile_cont(0.5) WITHIN GROUP (ORDER BY elevation_ft) AS middle\nFROM navaids GROUP BY type",
  "SELECT date_trunc('day', _koverse_timestamp AT TIME ZONE 'America/New_York') AS day, count(*) FROM navaids GROUP BY day ORDER BY day",
];

/** The supported statements, clauses and types. */
export const supportedSyntax: readonly string[] = [
  'A statement is one `SELECT` or `VALUES`, or several joined by `UNION`, `INTERSECT` and `EXCEPT`, each with or without `ALL`. You can use `WITH`, but not `WITH RECURSIVE`.',
  '`FROM` takes datasets, subqueries, `VALUES` and set-returning functions. Functions can be combined with `ROWS FROM` or `unnest(a, b)`, and take `WITH ORDINALITY`.',
  'Joins are `INNER`, `LEFT`, `RIGHT`, `FULL` and `CROSS`, with `ON` or `USING`, or `NATURAL`.',
  '`LATERAL` subqueries and functions in `FROM` can use columns of the items before them; in a join, columns of its left side.',
  'Set-returning functions are also allowed in the select list, if the query has no groups and windows or groups by them.',
  '`GROUP BY` takes columns, names and numbers of output columns, expressions, `GROUPING SETS`, `ROLLUP` and `CUBE`. The function `GROUPING` is supported.',
  'The other clauses are `WHERE`, `HAVING`, `DISTINCT`, `DISTINCT ON`, `WINDOW`, and `ORDER BY` with `NULLS FIRST` and `NULLS LAST`. `LIMIT`, `OFFSET` and `FETCH FIRST` take constant numbers.',
  'Subqueries can be scalar values, `ARRAY(SELECT ...)`, `EXISTS`, `IN`, `NOT IN`, and comparisons with `ANY` and `ALL`. `(a, b) IN` is supported as a condition that is combined with others by AND.',
  'A subquery can use columns of the queries around it, except in the ON of an outer join and in an aggregate of only such columns. If such a subquery returns several rows where one value is expected, the value is NULL.',
  'You can name a dataset by its id in double quotes. You can also use its name, if you can read only one dataset of that name.',
  'Names without quotes match exactly, or else in any letter case if only one name matches. A field inside an object is `outer.inner`, or `"outer.inner"` in quotes.',
  'Types are `boolean`, `smallint`, `integer`, `bigint`, `numeric`, `double precision`, `text` (`varchar`), `date`, `timestamp`, `timestamptz`, `interval`, `jsonb` and arrays of them.',
  'The values in the records that you can read decide the type of a field. It is `bigint`, `double precision`, `boolean`, `text`, `timestamp` if all texts are timestamps, or `jsonb` for arrays and objects.',
  'A field with integers beyond 64 bits is `numeric`. A field with a mixture of types is `text`.',
  `You can cast with \`CAST(x AS type)\`, \`x::type\`, \`type 'literal'\` and these functions: ${Array.from(castNames, (name) => `\`${name}(x)\``).join(', ')}.`,
  '`current_date`, `current_timestamp`, `localtimestamp`, `now()`, `transaction_timestamp()` and `statement_timestamp()` are the same point in time everywhere in a statement. `age(timestamp)` counts from the start of that day.',
  "`AT TIME ZONE`, `date_trunc(unit, timestamp, zone)`, `make_timestamptz(…, zone)` and literals such as `timestamptz '2024-07-01 12:00 Europe/Berlin'` take a time zone, which must be a constant.",
  'A time zone is a name of the IANA database, an abbreviation (`CET` is always one hour ahead of UTC), an interval, or an offset in POSIX notation (`UTC-3` is three hours ahead).',
  'For a local time that clocks skip, the zone before the change applies. For one that occurs twice, the zone after the change applies.',
  '`to_date` and `to_timestamp` take patterns of `YYYY`, `YY`, `MM`, `Month`, `Mon`, `DD`, `Day`, `Dy`, `HH24`, `HH12`, `MI`, `SS`, `MS`, `US` and `AM`.',
  "In these patterns you can use each field once, with punctuation between fields, and one letter in double quotes after a number (`\"T\"`). `to_date('17 May 2024', 'DD Mon YYYY')` → `'2024-05-17'`",
  'Every dataset has the columns `_koverse_record_id`, `_koverse_dataset_id` and `_koverse_timestamp`. `*` does not include them.',
];

/** The documented limits of statements. */
export const limits: readonly string[] = [
  `A statement has at most ${String(sqlLimits.length)} characters.`,
  `It can name up to ${String(sqlLimits.tables)} datasets, counted as often as they are named, and has up to ${String(sqlLimits.columns)} output columns and ${String(sqlLimits.values)} rows of VALUES.`,
  'Time, memory and rows are limited. Exceeding any of these limits returns the same QueryError.',
];

/** Where results differ from PostgreSQL, and why. */
export const postgresqlDifferences: readonly string[] = [
  'Where PostgreSQL fails because of a value in a row, the result is NULL: division by zero, a number out of range, text that is not a number, the root of a negative number. An error would disclose rows that you cannot read.',
  'Rows that tie in a sort are ordered by record id and array index, or by their output columns. The order is always the same, so it discloses nothing.',
  '`string_agg`, `array_agg` and `jsonb_agg` without ORDER BY order their input by value.',
  'Texts are compared by code point (the collation "C"). `lower`, `upper` and `initcap` follow Unicode 15.',
  `A numeric has up to ${String(numericDigits)} digits. A value that does not fit is NULL.`,
  'The scale of a product is the sum of the scales of its factors. For two columns that is 40, which leaves 36 digits before the point.',
  'A quotient has up to 36 digits after the point. `::numeric` without a precision keeps 30.',
  'Quotients, averages and expressions with them have the same scale as in PostgreSQL, also across subqueries. In other numerics the scale can vary from row to row, such as in a column with 1.0 and 1.55.',
  'The same holds for averages after DISTINCT or UNION, and for averages in GROUP BY. Such a numeric cannot be cast to text. If it is an average or a quotient, it cannot be divided either.',
  'PostgreSQL rounds the average of large numerics to the scale of their values. Redoubt keeps more digits.',
  'Doubles are finite. The literals NaN and Infinity are rejected, texts with them become NULL, and underflow gives 0.',
  '`exp`, `ln`, `log`, `power`, `cbrt` and trigonometric functions can differ in the last digit.',
  'Sums and averages of doubles are computed exactly. In PostgreSQL they depend on the order of rows, so the last digit can differ.',
  'The patterns of LIKE, SIMILAR TO and regular expressions must be constants.',
  'Regular expressions run in linear time. Lookaround, back references and named character classes are rejected. Functions that return parts of a text reject an expression if the end of its match is ambiguous.',
  '`repeat`, `lpad` and `rpad` return NULL for more than 1,000,000 characters.',
  'Intervals can be equal but written differently, such as a day and 24 hours. GROUP BY, DISTINCT and UNION keep the one with the fewest months, and then the fewest days. INTERSECT and EXCEPT of intervals are rejected.',
  "The session time zone is UTC. Name other zones in the statement (`AT TIME ZONE 'Europe/Berlin'`).",
  'The history of time zones is that of the server’s Node.js. Zones that have been the same since 1970 share their earlier history.',
  'Casts of texts (`text::timestamptz`) accept only UTC and offsets as time zones. Abbreviations whose offset has changed (`MSK`) are rejected.',
  'jsonb is the JSON text of the record. Keys keep their order, and of duplicate keys the first counts. jsonb cannot be compared, sorted or grouped.',
  'In the text of a JSON array or object, U+2028 and U+2029 are escaped.',
  'In `@>` and `<@`, the contained jsonb must be a constant.',
  'Set-returning functions of jsonb return no rows for a value that is not an array or object, where PostgreSQL fails.',
  'Without a frame, `last_value` and `nth_value` look no further than the current row, even if the rows after it tie with it in ORDER BY. In PostgreSQL they look at all rows that tie.',
  'A numeric in a jsonb loses the zeros at its end, because the engine stores the number and not its notation.',
  'The result of adding months to a date is NULL outside the years 1 to 9999, even if the days of the same interval lead back. The engine has no other years.',
];
