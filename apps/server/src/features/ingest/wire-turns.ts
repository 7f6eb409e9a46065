import type { RecordStore } from '@redoubt/records';
import type { Db } from '../../platform/db/database.ts';
import type { ObjectStore } from '../../platform/files/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { createTurns, type Turns } from './read-turns.ts';
import { createFindReached, type FindReached } from './sources/find-reached.ts';
import type { NewFiles } from './sources/new-files.ts';
import type { OpenSource } from './sources/sources.ts';
import { createTurnRepository, type TurnRepository } from './turn.repository.ts';

/** Wires what sources without end need. */
export const wireTurns = ({
  db,
  files,
  newFiles,
  openSource,
  secrets,
  store,
}: {
  db: Db;
  files: Pick<ObjectStore, 'get'>;
  newFiles: NewFiles;
  openSource: OpenSource;
  secrets: Pick<SecretBox, 'open'>;
  store: Pick<RecordStore, 'settleBlocks'>;
}): { findReached: FindReached; turnRepository: TurnRepository; turns: Turns } => {
  const turnRepository = createTurnRepository(db);
  return {
    turnRepository,
    findReached: createFindReached({ files, repository: turnRepository, secrets, store }),
    turns: createTurns({ newFiles, openSource, repository: turnRepository, secrets }),
  };
};
