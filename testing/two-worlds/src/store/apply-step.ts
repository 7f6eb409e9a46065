import { toCanonicalLabel, parseLabel } from '@redoubt/labels';
import { parseLucene } from '@redoubt/query';
import type { ChangeRequest } from '@redoubt/records';
import type { Change, Step, Which } from './plan.ts';
import { everything, type Held } from './random-labels.ts';
import type { World } from './world.ts';

/** The world and the tables in which a step runs. */
interface Place {
  readonly world: World;
  readonly datasetId: string;
  /** The attributes of the reader. */
  readonly held: Held;
  /** Whether this is the first world, which has only the visible records. */
  readonly isFirst: boolean;
  /** The unique name of the step: letters, digits and `-`. */
  readonly name: string;
}

/** The ids of the first list that are not in the second. */
export const except = (ids: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
};

const named = (records: readonly string[], ids: readonly string[]): string[] =>
  records
    .slice(0, ids.length)
    .map(
      (record, index) =>
        `{"_koverse_record_id":"${ids[index] ?? ''}"${record === '{}' ? '' : ','}${record.slice(1)}`,
    );

async function send(
  { world, datasetId }: Place,
  { label, records }: Pick<Step, 'label' | 'records'>,
): Promise<void> {
  const { store } = world;
  const labelInfo =
    label === undefined || label === ''
      ? undefined
      : { label, parserClassName: 'apply-label-to-all-records-parser' };
  const parsed = await store.parse(Buffer.from(`[${records.join(',')}]`), 'array');
  const visible = await world.visible(datasetId, everything);
  const write = await store.prepareWrite({ datasetId, parsed, labelInfo, visible });
  await write.commit({ mayRelabel: true, columnVersion: 0 });
  parsed.release();
}

const everyNth = (ids: readonly string[], nth: number): string[] =>
  ids.filter((_, index) => index % nth === 0);

/** Deletes or relabels records as an actor with these attributes. */
async function alter(
  { world, datasetId, name }: Place,
  held: Held,
  which: ChangeRequest['which'],
  label?: string,
): Promise<void> {
  const request = {
    datasetId,
    changeId: name,
    which,
    visible: async () => world.visible(datasetId, held),
  };
  if (label === undefined) await world.store.deleteRecords(request);
  else await world.store.relabelRecords({ ...request, label: toCanonicalLabel(parseLabel(label)) });
  await world.store.forgetChange(datasetId, name);
}

async function carryOutChange(place: Place, change: Change, isHidden: boolean): Promise<void> {
  const { world, datasetId, held, isFirst, name } = place;
  if (change.kind === 'clear') {
    await world.store.clearDataset({ datasetId, changeId: name, mayStill: async () => undefined });
    return;
  }
  const label = change.kind === 'delete' || (change.kind === 'hide' && isFirst) ? undefined : change.label;
  const chosen = async (which: Which): Promise<ChangeRequest['which']> => {
    if ('expression' in which) return { tree: parseLucene(which.expression) };
    const seen = await world.ids(datasetId, held);
    const hidden = except(await world.ids(datasetId, everything), seen);
    // A request of the reader may also contain ids of hidden records, and must not affect them.
    return {
      recordIds: [...(isHidden ? [] : everyNth(seen, which.every)), ...everyNth(hidden, which.every)],
    };
  };
  await alter(place, isHidden ? everything : held, await chosen(change.which), label);
}

/** Runs a step in one world. Steps of both worlds replace or change only visible records, which both worlds have. */
export async function applyStep(place: Place, step: Step): Promise<void> {
  const { world, datasetId, held, isFirst } = place;
  const { replaces, hides, shownFrom, label, records, change } = step;
  const all = async (): Promise<string[]> => world.ids(datasetId, everything);
  if (change !== undefined) return carryOutChange(place, change, step.hidden);
  if (replaces !== undefined) {
    const seen = await world.ids(datasetId, held);
    const old = replaces === 'visible' ? seen : except(await all(), seen);
    const replacing = named(records, old);
    if (replacing.length === 0) return;
    return send(place, {
      records: replacing,
      ...(replaces === 'hidden' && label !== undefined ? { label } : {}),
    });
  }
  const isShownLater = shownFrom !== undefined && !isFirst;
  const before = hides !== undefined || isShownLater ? await all() : [];
  await send(place, isShownLater ? { records, label: shownFrom } : step);
  const news = hides !== undefined || isShownLater ? except(await all(), before) : [];
  if (hides !== undefined) await send(place, { label: hides, records: named(records, news) });
  if (isShownLater) await alter(place, everything, { recordIds: news }, label ?? '');
}
