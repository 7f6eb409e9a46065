import type { Credential } from './actor.ts';

/** The credential as it is stored in a row; null for a person's own session. Equal credentials give the same text. */
export const credentialText = (credential: Credential): string | null => {
  switch (credential.kind) {
    case 'session':
      return null;
    case 'key':
      return JSON.stringify({ kind: 'key', keyId: credential.keyId });
    case 'application': {
      const { applicationId, type } = credential;
      return JSON.stringify({ kind: 'application', applicationId, type });
    }
  }
};

export const credentialFrom = (text: string | null): Credential =>
  text === null ? { kind: 'session' } : (JSON.parse(text) as Credential);
