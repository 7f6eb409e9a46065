import type { OperationId } from '@redoubt/contract';
import type { VisibleLabels } from '@redoubt/labels';

/** What a response depends on. */
export interface ProfileKey {
  /** The cache is separate for each person, because response times would disclose what other people requested. */
  person: string;
  datasetId: string;
  /** The state of the visible records. */
  state: string;
  visible: Pick<VisibleLabels, 'hidden' | 'ids'>;
  operation: OperationId;
  request: object;
}

export interface ProfileCache {
  /** Returns the text that was computed for an equal key, or computes and keeps it. */
  remember(key: ProfileKey, compute: () => Promise<string>): Promise<string>;
}

/** Maximum number of characters of all cached responses. */
const maxCharacters = 8_000_000;

/**
 * Keeps responses about values until a visible record changes. The key contains the visible labels and the hidden columns,
 * so a reader whose rights change never gets an older response.
 */
export const createProfileCache = (): ProfileCache => {
  const texts = new Map<string, string>();
  let characters = 0;
  const drop = (key: string): void => {
    characters -= key.length + (texts.get(key)?.length ?? 0);
    texts.delete(key);
  };
  return {
    remember: async ({ person, datasetId, state, visible, operation, request }, compute) => {
      const labels = Buffer.from(Uint32Array.from(visible.ids).buffer).toString('base64');
      const key = JSON.stringify([person, datasetId, state, labels, visible.hidden, operation, request]);
      const known = texts.get(key);
      if (known !== undefined) {
        texts.delete(key);
        texts.set(key, known);
        return known;
      }
      const text = await compute();
      if (texts.has(key)) drop(key);
      texts.set(key, text);
      characters += key.length + text.length;
      for (const oldest of texts.keys()) {
        if (characters <= maxCharacters) break;
        drop(oldest);
      }
      return text;
    },
  };
};
