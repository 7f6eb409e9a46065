import { addHiddenAccess, hideWorkspace } from './hidden-access.ts';
import { hideColumns } from './hidden-columns.ts';
import { hideUploads, uploadMixed } from './hidden-uploads.ts';
import { hideIndexes } from './hidden-indexes.ts';
import { hidePaths, hideRecords, replaceHidden } from './hidden-records.ts';
import { idsOf } from './records.ts';
import { makeVisibleWorld } from './visible-world.ts';
import { replaceNote, writeMany, writeMine, writeNotes, writeShared } from './visible-records.ts';
import type { Worlds } from '@redoubt/testkit/requests';

/** The maximum number of distinct paths of a dataset in the scenario. All hidden records together have more. */
export const pathLimit = 180;

/** Creates hidden objects in the second world, and returns their ids. */
const hideFirst = async (worlds: Worlds, world: Awaited<ReturnType<typeof makeVisibleWorld>>) => ({
  ...(await worlds.hidden('access', (send) => addHiddenAccess(send, world))),
  ...(await worlds.hidden('workspace', (send) => hideWorkspace(send, world))),
});

/**
 * Builds two worlds. The reader sees the same data in both. The second world also has hidden data, which is written
 * before, between and after the visible data. Each step that runs in both worlds has the same clock, ids and randomness
 * in both.
 */
export const buildScenario = async (worlds: Worlds) => {
  const world = await makeVisibleWorld(worlds);
  const { datasets } = world;
  const { reader } = world.people;
  const hideIn = (name: keyof typeof datasets, part: number): Promise<void> =>
    worlds.hidden(`records/${name}/${part}`, (send) => hideRecords(send, world, datasets[name], part));

  const hidden = await hideFirst(worlds, world);
  // More than the 1,024 paths that the engine stores in separate columns.
  await worlds.hidden('paths/shared', (send) => hidePaths(send, world, datasets.shared, 1300));
  await worlds.hidden('paths/notes', (send) => hidePaths(send, world, datasets.notes, 200));
  await worlds.hidden('columns', (send) => hideColumns(send, world));
  await hideIn('shared', 0);
  await hideIn('empty', 0);
  await worlds.both('shared 1', (send, isSecond) => writeShared(send, world, isSecond, 0, 20));
  await worlds.both('notes 1', (send, isSecond) => writeNotes(send, world, isSecond, 0, 6));
  await worlds.both('many 1', (send) => writeMany(send, world, 0, 160));
  await hideIn('shared', 1);
  await hideIn('notes', 1);
  const hiddenJobs = await worlds.hidden('indexes', (send) => hideIndexes(send, world));
  const hiddenUpload = await worlds.hidden('uploads', (send) => hideUploads(send, world, hidden.dataset));
  const mixedUpload = await worlds.both('mixed upload', (send, isSecond) =>
    uploadMixed(send, world, isSecond),
  );
  await hideIn('many', 1);
  await worlds.both('shared 2', (send, isSecond) => writeShared(send, world, isSecond, 20, 40));
  await worlds.both('mine', (send, isSecond) => writeMine(send, world, isSecond));
  await worlds.both('many 2', (send) => writeMany(send, world, 160, 320));
  await hideIn('mine', 2);
  await hideIn('dropBox', 2);
  await hideIn('many', 2);

  const idsIn = (name: keyof typeof datasets) =>
    worlds.both(`ids of ${name}`, (send) => idsOf(send, reader, datasets[name]));
  const seenByInsider = await worlds.both('ids for the insider', (send) =>
    idsOf(send, reader, datasets.shared),
  );
  const hiddenRecord = await worlds.hidden('replace', (send) =>
    replaceHidden(send, world, datasets.shared, seenByInsider),
  );
  // The reader reads in both worlds, because these requests appear in the audit log, which the reader may see.
  const seenNotes = await idsIn('notes');
  const hiddenNote = await worlds.hidden('replace in notes', (send) =>
    replaceHidden(send, world, datasets.notes, seenNotes),
  );
  const notes = await idsIn('notes');
  await worlds.both('replace a note', (send) => replaceNote(send, world, notes[2] ?? ''));
  await worlds.both('shared 3', (send, isSecond) => writeShared(send, world, isSecond, 40, 50));
  await hideIn('shared', 3);

  return {
    ...world,
    mixedUpload,
    hidden: { ...hidden, ...hiddenJobs, ...hiddenUpload, record: hiddenRecord, note: hiddenNote },
    records: { shared: await idsIn('shared'), notes, many: await idsIn('many'), mine: await idsIn('mine') },
  };
};

export type Scenario = Awaited<ReturnType<typeof buildScenario>>;
