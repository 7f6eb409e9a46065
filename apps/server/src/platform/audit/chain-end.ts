import { createHash } from 'node:crypto';
import type { AuditChainPosition } from '@redoubt/records';
import { sealedLocation, type SecretBox } from '../secrets/index.ts';
import type { AuditChainRepository } from './chains.repository.ts';
import { firstHash } from './audit-event.ts';

/** How far a chain goes, and what retention has taken out of it. */
export interface ChainEnd {
  /** The place and hash of its newest event. */
  seq: number;
  hash: string;
  /** Where what is kept of it begins: the place and hash before that. */
  start: { seq: number; hash: string };
  /** Over the links whose events were removed: as it is, and as it was before the last removal, which a kill may have broken off. */
  removed: string;
  removedBefore: string;
}

/** Over links, in the order of the chain. */
export const hashLinks = (links: readonly AuditChainPosition[]): string => {
  const hash = createHash('sha256');
  for (const { seq, hash: of } of links.toSorted((a, b) => a.seq - b.seq)) hash.update(`${seq} ${of}\n`);
  return hash.digest('hex');
};

export const emptyChainEnd: ChainEnd = {
  seq: 0,
  hash: firstHash,
  start: { seq: 0, hash: firstHash },
  removed: hashLinks([]),
  removedBefore: hashLinks([]),
};

export interface ChainEnds {
  /** @throws SealError for one that this server has not sealed */
  find(workspace: string): Promise<ChainEnd | undefined>;
  put(workspace: string, end: ChainEnd): Promise<void>;
  workspaces(): Promise<string[]>;
  /** Those that have a chain, as it was sealed; undefined where nothing says so. @throws SealError as `find` does */
  listed(): Promise<string[] | undefined>;
  list(workspaces: readonly string[]): Promise<void>;
}

/** Under which the list of workspaces stands among the ends: no workspace has this key. */
export const chainListKey = '*';

const placeOf = (workspace: string): string => sealedLocation('audit_chains', 'sealed', workspace);

/** The ends of chains stand beside the events, sealed: whoever changes events cannot make an end that fits. */
export const createChainEnds = (
  chains: Pick<AuditChainRepository, 'all' | 'find' | 'put'>,
  box: SecretBox,
): ChainEnds => ({
  find: async (workspace) => {
    const sealed = await chains.find(workspace);
    return sealed === undefined ? undefined : (JSON.parse(box.open(sealed, placeOf(workspace))) as ChainEnd);
  },
  put: (workspace, end) => chains.put(workspace, box.seal(JSON.stringify(end), placeOf(workspace))),
  workspaces: async () => [...(await chains.all()).keys()].filter((workspace) => workspace !== chainListKey),
  listed: async () => {
    const sealed = await chains.find(chainListKey);
    return sealed === undefined
      ? undefined
      : (JSON.parse(box.open(sealed, placeOf(chainListKey))) as string[]);
  },
  list: (workspaces) => chains.put(chainListKey, box.seal(JSON.stringify(workspaces), placeOf(chainListKey))),
});
