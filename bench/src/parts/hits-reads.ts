import { referenceStatementSettings, labelPredicate, readStatement } from '../chdb/statements.ts';
import { tableOf } from '../chdb/table-of.ts';
import { engineColumns } from '../hits/dialects.ts';
import type { HitsFixture } from '../hits/hits-fixture.ts';
import type { Report } from '../report/report.ts';
import { formatCount, median } from '../report/statistics.ts';

const rounds = 5;

const formats = [
  { name: 'JSON lines', type: 'application/x-ndjson', wanted: 0.6 },
  { name: 'Arrow', type: 'application/vnd.apache.arrow.stream', wanted: 0.8 },
] as const;

/** Measures reading all hits with `POST /read`, against the bare engine streaming the same data. */
export async function measureHitsReads(fixture: HitsFixture, report: Report): Promise<void> {
  const { chdb, dataset, server, labels, readers, records } = fixture;
  const reader = readers.find(({ share }) => share === 'all');
  if (reader === undefined) throw new Error('There is no reader who sees everything.');
  const predicate = labelPredicate(reader.labelIds);
  const table = tableOf(dataset.id);
  const statements = {
    'JSON lines': [readStatement(dataset.id, predicate), 'TSVRaw'],
    Arrow: [
      `SELECT ${engineColumns} FROM ${table} WHERE ${predicate} ORDER BY record_id ${referenceStatementSettings}`,
      'ArrowStream',
    ],
  } as const;
  for (const { name, type, wanted } of formats) {
    const [sql, engineFormat] = statements[name];
    const http = server.reader(reader.token, { accept: type });
    const ours: number[] = [];
    const alone: number[] = [];
    let bytes = 0;
    for (let round = 0; round < server.pace.times(rounds); round++) {
      const start = performance.now();
      bytes = 0;
      await http.drain('/read', JSON.stringify({ datasetId: dataset.id, limit: -1 }), (chunk) => {
        bytes += chunk.length;
      });
      ours.push(performance.now() - start);
      const read = await chdb.read(sql, engineFormat);
      alone.push(read.milliseconds);
      if (name === 'JSON lines' && bytes < read.bytes)
        throw new Error(`Only ${String(bytes)} of ${String(read.bytes)} bytes were received.`);
    }
    http.close();
    const perSecond = (times: readonly number[]): number => (records / median(times)) * 1000;
    const ratio = perSecond(ours) / perSecond(alone);
    report.add({
      what: `reading all as ${name}, ${formatCount(labels.count)} labels`,
      ours: `${formatCount(perSecond(ours))} records/s`,
      chdb: `${formatCount(perSecond(alone))} records/s`,
      ratio: `${ratio.toFixed(2)} of chdb (${formatCount(bytes / records)} bytes a record)`,
      target: `≥ ${String(wanted)}`,
      reached: ratio >= wanted,
    });
  }
}
