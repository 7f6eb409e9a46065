import { RedoubtError } from '@redoubt/errors';
import { parseLucene, parseSql, type WrittenName } from '@redoubt/query';
import { ourText, treeText } from '@redoubt/sql-fuzzer';
import { maxStatementMilliseconds, type Built, type World } from './world.ts';
import type { WorldQuestion } from './world-requests.ts';

/** Everything that a reader sees of a response. */
export interface WorldResult {
  readonly status: 'succeeded' | 'refused' | 'failed';
  readonly text: string;
}

const now = new Date('2024-05-06T07:08:09.123Z');

/** Replaces placeholders such as ‹hidden:3› by ids. */
const withIds = (text: string, table: string, { visibleIds, hiddenIds }: Built): string =>
  text.replaceAll(/‹(\w+):(\d+)›/g, (_, of: string, number: string) => {
    const index = Number(number);
    const ids = (
      of === 'hidden' ? hiddenIds : of === 'visible' ? visibleIds : new Map<string, string[]>()
    ).get(table);
    const absent = `0190${number.padStart(4, '0')}-0000-7000-8000-000000000000`;
    return ids?.[index % Math.max(1, ids.length)] ?? absent;
  });

/** The first table that a statement names. Its placeholders for ids refer to this table. */
const tableOf = (statement: string): string => /people|orders|teams/.exec(statement)?.[0] ?? 'people';

const latin = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString('latin1');
};

async function resultOf(world: World, built: Built, question: WorldQuestion): Promise<string> {
  const { store } = world;
  const { held, limit, offset, internalFields } = question;
  const signal = AbortSignal.timeout(maxStatementMilliseconds);
  if (question.kind === 'sql') {
    const written = ourText(treeText(question.tree));
    const parsed = await parseSql(withIds(written, tableOf(written), built));
    const sources = await Promise.all(
      [...built.datasets].map(async ([name, id]) => {
        const visible = await world.visible(id, held);
        return { id, name, visible, fields: await store.fields(id, visible) };
      }),
    );
    const find = ({ folded }: WrittenName) =>
      sources.find(({ id, name }) => id === folded || name === folded);
    const reading = await store.sql({ parsed, find, limit, offset, internalFields, now, signal });
    const total = await reading.total();
    const rows = await latin(reading.rows);
    return JSON.stringify([reading.schema, total, reading.progress, reading.datasetIds, rows]);
  }
  const datasetId = built.datasets.get(question.table) ?? '';
  const visible = await world.visible(datasetId, held);
  const common = { datasetId, visible, limit, internalFields, signal };
  const idOf = (text: string): string => withIds(text, question.table, built);
  switch (question.kind) {
    case 'search': {
      const request = { ...common, tree: parseLucene(question.expression), offset };
      const { format } = question;
      const { rows, total, progress } = await store.search({ ...request, asLines: format === 'lines' });
      const count = await total();
      const schema = await store.schema(datasetId, visible, {});
      const bytes =
        format === 'json' || format === 'lines' ? rows : store.table({ ...request, format, schema });
      return JSON.stringify([count, await latin(bytes), progress]);
    }
    case 'sequence': {
      const request = { ...common, [question.start]: idOf(question.first), until: idOf(question.until) };
      const { format } = question;
      const { rows, progress } = store.sequence({ ...request, asLines: format === 'lines' });
      const schema = await store.schema(datasetId, visible, {});
      const bytes =
        format === 'json' || format === 'lines' ? rows : store.table({ ...request, format, schema });
      return JSON.stringify([await latin(bytes), progress]);
    }
    case 'splits':
      return JSON.stringify(await store.splits({ datasetId, visible, signal }));
    case 'schema': {
      const { nested, securityField } = question;
      const options = { nested, securityField, internalFields: internalFields !== undefined };
      return JSON.stringify(await store.schema(datasetId, visible, options));
    }
    case 'count':
      return String(await store.countVisible(datasetId, visible));
    case 'replace': {
      const records = question.ids.map((id) => `{"_koverse_record_id":"${idOf(id)}","id":1}`);
      const parsed = await store.parse(Buffer.from(`[${records.join(',')}]`), 'array');
      try {
        const write = await store.prepareWrite({ datasetId, parsed, labelInfo: undefined, visible });
        await write.commit({ mayRelabel: true, columnVersion: 0 });
        return 'replaced';
      } finally {
        parsed.release();
      }
    }
  }
}

/** Sends a request to one world. An error is a result, too. */
export const queryWorld = async (
  world: World,
  built: Built,
  question: WorldQuestion,
): Promise<WorldResult> => {
  try {
    return { status: 'succeeded', text: await resultOf(world, built, question) };
  } catch (error) {
    if (error instanceof RedoubtError) {
      return { status: 'refused', text: JSON.stringify([error.name, error.code, error.message]) };
    }
    return { status: 'failed', text: String(error) };
  }
};
