import type { Credential } from './actor.ts';

/** How rows keep by what somebody came: null for a session of their own. The same text for the same credential. */
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
