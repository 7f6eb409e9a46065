import { Client } from 'pg';
import { ingestColumns } from '../files/ingest-files.ts';
import { createOwnDatabase } from './own-database.ts';

const names = ingestColumns.map(([name]) => name);

/** A table with an index on the words of all columns, because Redoubt's uploads also create a word index. */
const makeTable = `
DROP TABLE IF EXISTS rows;
CREATE TABLE rows (
  ${ingestColumns.map(([name, , type]) => `${name} ${type}`).join(', ')},
  words tsvector GENERATED ALWAYS AS (to_tsvector('simple', ${names.map((name) => `coalesce(${name}::text, '')`).join(" || ' ' || ")})) STORED
);
CREATE INDEX ON rows USING gin (words);
`;

/** Loads a CSV file by COPY, in several rounds. @returns the milliseconds of each round */
export async function copyCsvFile(
  server: string,
  path: string,
  { rows, rounds }: { rows: number; rounds: number },
): Promise<number[]> {
  const database = await createOwnDatabase(server);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      await client.query(makeTable);
      const start = performance.now();
      const { rowCount } = await client.query(
        `COPY rows (${names.join(', ')}) FROM '${path}' WITH (FORMAT csv, HEADER true)`,
      );
      times.push(performance.now() - start);
      if (rowCount !== rows)
        throw new Error(`PostgreSQL stored ${String(rowCount)} of ${String(rows)} rows.`);
    }
    return times;
  } finally {
    await client.end();
    await database.drop();
  }
}
