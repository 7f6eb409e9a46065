import { createHash } from 'node:crypto';
import type { AuditChainPosition } from '@redoubt/records';
import { sealedLocation, type SecretBox } from '../secrets/index.ts';
import type { AuditChainRepository } from './chains.repository.ts';
import { firstHash } from './audit-event.ts';

/** How far a chain goes, and what retention removed from it. */
export interface ChainEnd {
  /** Position and hash of the newest event. */
  seq: number;
  hash: string;
  /** Position and hash of the event before the oldest one that is kept. */
  start: { seq: number; hash: string };
  /**
   * Digest of the links whose events were removed. `removedBefore` is the digest before the last removal, which a kill
   * may have interrupted.
   */
  removed: string;
  removedBefore: string;
}

/** The digest of links, in the order of the chain. */
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
  /** @throws UnsealError for an end that was not sealed with a key of this server */
  find(workspace: string): Promise<ChainEnd | undefined>;
  put(workspace: string, end: ChainEnd): Promise<void>;
  workspaces(): Promise<string[]>;
  /** The sealed list of workspaces that have a chain; undefined if there is none. @throws UnsealError as `find` does */
  listed(): Promise<string[] | undefined>;
  list(workspaces: readonly string[]): Promise<void>;
}

/** The key under which the list of workspaces is stored beside the ends. No workspace has this key. */
export const chainListKey = '*';

const locationOf = (workspace: string): string => sealedLocation('audit_chains', 'sealed', workspace);

/**
 * Stores the ends of chains, sealed with the server's key. Changed events do not match the sealed end, and nobody can
 * seal another end without this key.
 */
export const createChainEnds = (
  chains: Pick<AuditChainRepository, 'all' | 'find' | 'put'>,
  box: SecretBox,
): ChainEnds => ({
  find: async (workspace) => {
    const sealed = await chains.find(workspace);
    return sealed === undefined
      ? undefined
      : (JSON.parse(box.open(sealed, locationOf(workspace))) as ChainEnd);
  },
  put: (workspace, end) => chains.put(workspace, box.seal(JSON.stringify(end), locationOf(workspace))),
  workspaces: async () => [...(await chains.all()).keys()].filter((workspace) => workspace !== chainListKey),
  listed: async () => {
    const sealed = await chains.find(chainListKey);
    return sealed === undefined
      ? undefined
      : (JSON.parse(box.open(sealed, locationOf(chainListKey))) as string[]);
  },
  list: (workspaces) =>
    chains.put(chainListKey, box.seal(JSON.stringify(workspaces), locationOf(chainListKey))),
});
