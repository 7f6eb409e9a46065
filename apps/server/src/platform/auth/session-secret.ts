import { hash } from 'node:crypto';
import type { Random } from '../runtime.ts';

/** What a browser's cookie holds: the id of its session, and a secret that only this browser and its server know. */
export interface CookieCredential {
  sessionId: string;
  secret: string;
}

const secretBytes = 32;

/** A secret for a session's cookie: 43 characters. */
export const createSessionSecret = (random: Random): string =>
  random.bytes(secretBytes).toString('base64url');

/** What the database keeps of a secret. It is too long to guess, so a fast hash is enough. */
export const hashSessionSecret = (secret: string): string => hash('sha256', secret, 'base64url');
