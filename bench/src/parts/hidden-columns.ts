import { formatMilliseconds, median } from '../report/statistics.ts';
import { searchesOf } from '../searches.ts';
import type { BenchFixture } from '../fixture.ts';

const runs = 15;
const wanted = 1.3;
/** Columns of different kinds; one is in an object whose other properties stay visible. */
const hiddenColumns = ['age', 'date', 'address.zip'];
const attribute = 'COLUMNS';

/**
 * Measures queries of a reader who cannot see three columns, against a reader who sees all columns of the same records.
 */
export async function measureHiddenColumns({
  dataset,
  server,
  labelSet,
  name,
  records,
  report,
}: BenchFixture): Promise<void> {
  const full = server.reader(await server.createReader(dataset, [...labelSet.attributes, attribute]));
  const cut = server.reader(dataset.all);
  const admin = server.writer(1);
  const labels = Object.fromEntries(hiddenColumns.map((column) => [column, { securityLabel: attribute }]));
  await admin.patch(`/write/schema/${dataset.id}`, JSON.stringify(labels));
  admin.close();
  await server.waitUntilIdle();

  const { id: datasetId } = dataset;
  const queries = [
    ...searchesOf(records).map((search) => ({
      what: search.name,
      path: '/query/lucene',
      body: JSON.stringify({ datasetId, expression: search.expression, limit: 10 }),
    })),
    ...[
      `SELECT city, count(*) AS n, avg(amount) AS mean FROM "${datasetId}" GROUP BY city ORDER BY n DESC, city`,
      `SELECT id, name, amount FROM "${datasetId}" WHERE amount > 9990 ORDER BY amount DESC, id LIMIT 10`,
      `SELECT id, address FROM "${datasetId}" WHERE amount > 9990 ORDER BY amount DESC, id LIMIT 10`,
    ].map((expression) => ({
      what: expression.replace(`"${datasetId}"`, 'records'),
      path: '/query',
      body: JSON.stringify({ expression, limit: 100 }),
    })),
  ];
  for (const { what, path, body } of queries) {
    const times: Record<'cut' | 'full', number[]> = { cut: [], full: [] };
    for (let run = 0; run < server.pace.times(runs); run++) {
      for (const [reader, http] of [
        ['full', full],
        ['cut', cut],
      ] as const) {
        const began = performance.now();
        await http.post(path, body);
        times[reader].push(performance.now() - began);
      }
    }
    const ratio = median(times.cut) / median(times.full);
    report.add({
      what: `${String(hiddenColumns.length)} hidden columns: ${what}, ${name}`,
      ours: `${formatMilliseconds(median(times.cut))}, and ${formatMilliseconds(median(times.full))} for a reader of all columns`,
      ratio: `${ratio.toFixed(2)} ×`,
      target: `≤ ${String(wanted)} ×`,
      reached: ratio <= wanted,
    });
  }
  full.close();
  cut.close();
}
