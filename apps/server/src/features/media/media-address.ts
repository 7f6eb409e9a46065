import { mediaSeconds, strictObject } from '@redoubt/contract';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Member } from '../../platform/auth/actor.ts';
import type { CredentialOf } from '../../platform/auth/reauthenticate-actor.ts';
import type { Clock } from '../../platform/runtime.ts';
import { UnsealError, type SecretBox } from '../../platform/secrets/index.ts';

/** What an address of a file says. It names the credential of its person, and no rights. */
const MediaAddress = strictObject({
  workspaceUid: Type.String(),
  sessionId: Type.String(),
  /** Null for a session. */
  keyId: Type.Union([Type.String(), Type.Null()]),
  datasetId: Type.String(),
  documentId: Type.String(),
  isDownload: Type.Boolean(),
  /** The page whose picture is sent; null for the file itself. */
  page: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
  /** In milliseconds since 1970. */
  expiresAt: Type.Number(),
});
export type MediaAddress = Static<typeof MediaAddress>;

const place = 'media address';

/** Encrypted and signed addresses of files. */
export interface MediaAddresses {
  seal(actor: Member, file: Pick<MediaAddress, 'datasetId' | 'documentId' | 'isDownload' | 'page'>): string;
  /** Returns undefined for a text that is no address of this server, or has expired. */
  open(token: string): MediaAddress | undefined;
}

/** The credential that an address names. */
export const credentialOf = ({ workspaceUid, sessionId, keyId }: MediaAddress): CredentialOf => ({
  sessionId,
  credential: keyId === null ? { kind: 'session' } : { kind: 'key', keyId },
  workspace: { uniqueId: workspaceUid },
});

export const createMediaAddresses = ({
  secrets,
  clock,
}: {
  secrets: Pick<SecretBox, 'open' | 'seal'>;
  clock: Clock;
}): MediaAddresses => ({
  seal: ({ workspace, sessionId, credential }, file) => {
    const address: MediaAddress = {
      workspaceUid: workspace.uniqueId,
      sessionId,
      keyId: credential.kind === 'key' ? credential.keyId : null,
      ...file,
      expiresAt: clock.now().getTime() + mediaSeconds * 1000,
    };
    return secrets.seal(JSON.stringify(address), place);
  },
  open: (token) => {
    try {
      const address: unknown = JSON.parse(secrets.open(token, place));
      return Value.Check(MediaAddress, address) && address.expiresAt > clock.now().getTime()
        ? address
        : undefined;
    } catch (error) {
      if (error instanceof UnsealError) return undefined;
      throw error;
    }
  },
});
