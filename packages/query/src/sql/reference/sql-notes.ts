import { castNames } from '../expressions/functions.ts';
import { numericDigits } from '../types.ts';
import { sqlLimits } from '../statement/parse-sql.ts';

/** Statements over the demo's navigation aids and countries. */
export const sqlExamples: readonly string[] = [
  "SELECT ident, name, elevation_ft FROM navaids\nWHERE type = 'VOR' AND elevation_ft > 3000\nORDER BY elevation_ft DESC",
  'SELECT c.name, count(*) AS aids, round(avg(n.elevation_ft)) AS height\nFROM navaids n JOIN countries c ON c.code = n.iso_country\nGROUP BY c.name HAVING count(*) > 100 ORDER BY aids DESC',
  'WITH busy AS (SELECT iso_country FROM navaids GROUP BY iso_country HAVING count(*) > 500)\nSELECT name FROM countries WHERE code IN (SELECT iso_country FROM busy)',
  'SELECT DISTINCT ON (iso_country) iso_country, name, elevation_ft FROM navaids\nWHERE elevation_ft IS NOT NULL ORDER BY iso_country, elevation_ft DESC',
  "SELECT word, count(*) AS aids FROM navaids, string_to_table(name, ' ') AS word\nGROUP BY word ORDER BY aids DESC LIMIT 10",
  "SELECT type, count(*) FILTER (WHERE power = 'HIGH') AS strong, percentile_cont(0.5) WITHIN GROUP (ORDER BY elevation_ft) AS middle\nFROM navaids GROUP BY type",
  "SELECT date_trunc('day', _koverse_timestamp AT TIME ZONE 'America/New_York') AS day, count(*) FROM navaids GROUP BY day ORDER BY day",
];

/** The parts of a statement that are compiled. */
export const supportedSyntax: readonly string[] = [
  'One `SELECT`, `VALUES`, or several joined by `UNION`, `INTERSECT` and `EXCEPT`, with and without `ALL`; `WITH` (not RECURSIVE).',
  '`FROM`: datasets, subqueries, `VALUES`, and functions that give rows, also over columns of the items before them, several side by side (`ROWS FROM`, `unnest(a, b)`) and `WITH ORDINALITY`. Joins are `INNER`, `LEFT`, `RIGHT`, `FULL` and `CROSS`, with `ON` or `USING`, or `NATURAL`. `LATERAL` subqueries and functions name columns of the items before them, in a join those of its left side.',
  'Functions that give rows stand in the select list too, of a query without groups and windows or in what it groups by.',
  '`WHERE`, `GROUP BY` (columns, numbers of output columns, their names, expressions; `GROUPING SETS`, `ROLLUP`, `CUBE` and `GROUPING`), `HAVING`, `DISTINCT`, `DISTINCT ON`, `ORDER BY` with `NULLS FIRST` and `NULLS LAST`, `LIMIT`, `OFFSET` and `FETCH FIRST` with written numbers, `WINDOW`.',
  'Subqueries: of one value, `ARRAY(SELECT ...)`, `EXISTS`, `IN`, `NOT IN`, and comparisons with `ANY` and `ALL`; `(a, b) IN` as a condition that is joined by AND. They may name columns of the queries around them anywhere but in the ON of an outer join, and not in an aggregate of such columns alone. Of a subquery that names columns around it and gives several rows where one value is asked for, the value is NULL.',
  'A dataset is named by its id in double quotes, or by its name where just one that the reader may read has it. Names without quotes match exactly, else in any case of letters where that means just one. A field inside an object is `outer.inner`; a name of several keys may also be written `"outer.inner"`.',
  `Types: \`boolean\`, \`smallint\`, \`integer\`, \`bigint\`, \`numeric\`, \`double precision\`, \`text\` (\`varchar\`), \`date\`, \`timestamp\`, \`timestamptz\`, \`interval\`, \`jsonb\` and arrays of them. A field has the type of what the reader’s records hold there: \`bigint\`, \`double precision\`, \`numeric\` for whole numbers beyond 64 bits, \`boolean\`, \`timestamp\` where every text is one, \`text\`, \`jsonb\` for arrays and objects; mixed values are \`text\`. Casts are \`CAST(x AS type)\`, \`x::type\`, \`type 'literal'\` and calls by the type's name: ${Array.from(castNames, (name) => `\`${name}(x)\``).join(', ')}.`,
  '`current_date`, `current_timestamp`, `localtimestamp`, `now()`, `transaction_timestamp()` and `statement_timestamp()` are one moment for all of a statement. `age(moment)` counts from the beginning of that day.',
  "Time zones: `AT TIME ZONE`, `date_trunc(unit, moment, zone)`, `make_timestamptz(…, zone)` and literals such as `timestamptz '2024-07-01 12:00 Europe/Berlin'` take a name of the IANA database, an abbreviation (`CET`, always an hour ahead of UTC), an interval, or a distance from UTC as POSIX writes it (`UTC-3` is ahead), written out in the statement. A time that clocks skip counts by the zone before the change, one that they show twice by the zone after it.",
  '`to_date` and `to_timestamp` take patterns of `YYYY`, `YY`, `MM`, `Month`, `Mon`, `DD`, `Day`, `Dy`, `HH24`, `HH12`, `MI`, `SS`, `MS`, `US` and `AM`, each once, with punctuation between them, and one letter in double quotes behind a number (`"T"`).',
  '`_koverse_record_id`, `_koverse_dataset_id` and `_koverse_timestamp` are columns of every dataset that `*` leaves out.',
];

export const limits: readonly string[] = [
  `A statement has at most ${String(sqlLimits.length)} characters, names at most ${String(sqlLimits.tables)} datasets (each as often as it is named), gives at most ${String(sqlLimits.columns)} columns, and has at most ${String(sqlLimits.values)} rows of VALUES.`,
  'Time, memory and rows are limited; whichever is reached, the answer is the same QueryError.',
];

/** Where an answer is not PostgreSQL’s, and why. */
export const postgresqlDifferences: readonly string[] = [
  'Where PostgreSQL stops because of the value in a row (a division by zero, a number out of range, a text that is no number, the root of a negative number), the value is NULL: an error would tell of rows that one does not see.',
  'Rows that a statement leaves in a tie come in the order of their record ids and of the elements of an array, or of their output columns: always the same, so that the order tells nothing. `string_agg`, `array_agg` and `jsonb_agg` without ORDER BY are in the order of their values.',
  'Texts compare by code point (the collation "C"); the letters of `lower`, `upper` and `initcap` are those of Unicode 15.',
  `A numeric has ${String(numericDigits)} digits, a product as many of them after the point as both factors together: of two columns 40, which leaves 36 before it. A quotient keeps 36 digits after the point; \`::numeric\` without brackets keeps 30. What does not fit is NULL. The digits after the point that PostgreSQL shows are known of quotients, of averages and of what is reckoned with them, out of subqueries too; where they differ from row to row for another reason (a column of 1.0 and 1.55, an average out of DISTINCT or UNION, or one that rows are grouped by), a numeric cannot be cast to text, nor an average or a quotient be divided. PostgreSQL rounds the average of large numerics to as few digits as its values have; ours has more of them.`,
  'Doubles are finite: NaN and Infinity as literals are refused, as texts they become NULL, and underflow is 0. `exp`, `ln`, `log`, `power`, `cbrt` and trigonometry may differ in the last digit.',
  'Sums and averages of doubles are made of their exact values, so the last digit may differ from PostgreSQL’s, where it depends on the order of rows.',
  'LIKE, SIMILAR TO and regular expressions are written out in the statement. Regular expressions run in linear time: look-around, back references and character classes by name are refused, and so are functions that take parts of a text by an expression that is not sure where its match ends.',
  '`repeat`, `lpad` and `rpad` give NULL beyond 1,000,000 characters.',
  'Of intervals that are equal and written in several ways (a day and 24 hours), the one with the fewest months and then days stands for all in GROUP BY, DISTINCT and UNION; INTERSECT and EXCEPT of intervals are refused.',
  "The time zone of a session is UTC. Other zones are written out (`AT TIME ZONE 'Europe/Berlin'`); their history is that of the server’s Node, where zones that are alike since 1970 share what was before. Texts that are cast (`text::timestamptz`) name no zones but UTC and distances from it. Abbreviations that meant one distance from UTC and then another (`MSK`) are refused.",
  'jsonb is the JSON text of the record: keys keep their order in answers, of members of a record with the same key the first counts, and values of jsonb are not compared, sorted or grouped. In the text of an array or an object U+2028 and U+2029 are escaped. What a jsonb contains (`@>`, `<@`) is looked for where the part is written out. Of a value that is no array or no object, functions give no rows, where PostgreSQL stops. Numerics that are put into a jsonb lose the zeros at their end, since the engine keeps a number and not how it is written.',
  'Months that lead out of the years 1 to 9999 are NULL, even where the days of the same interval lead back: the engine holds no other years.',
];
