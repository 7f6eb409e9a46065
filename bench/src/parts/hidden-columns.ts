import { formatMilliseconds, median } from '../report/statistics.ts';
import { searchesOf } from '../searches.ts';
import type { Stage } from '../stage.ts';

const runs = 15;
const wanted = 1.3;
/** Of many kinds, one of them in an object of which the rest stays visible. */
const hiddenColumns = ['age', 'date', 'address.zip'];
const attribute = 'COLUMNS';

/** Queries of a reader who does not see three of the columns, against those of one who sees all of them and the same records. */
export async function measureHiddenColumns({
  dataset,
  house,
  labelSet,
  name,
  records,
  report,
}: Stage): Promise<void> {
  const full = house.reader(await house.createReader(dataset, [...labelSet.attributes, attribute]));
  const cut = house.reader(dataset.all);
  const admin = house.writer(1);
  const labels = Object.fromEntries(hiddenColumns.map((column) => [column, { securityLabel: attribute }]));
  await admin.patch(`/write/schema/${dataset.id}`, JSON.stringify(labels));
  admin.close();
  await house.waitUntilIdle();

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
    for (let run = 0; run < house.pace.times(runs); run++) {
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
      ours: `${formatMilliseconds(median(times.cut))}, and ${formatMilliseconds(median(times.full))} for who sees all`,
      ratio: `${ratio.toFixed(2)} ×`,
      target: `≤ ${String(wanted)} ×`,
      reached: ratio <= wanted,
    });
  }
  full.close();
  cut.close();
}
