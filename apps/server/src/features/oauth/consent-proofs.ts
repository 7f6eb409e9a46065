import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/runtime.ts';
import { oauthLifetimes } from './lifetimes.ts';

/** The subject of a page: the fields of the authorization request, and for a decision also the shown terms. */
type Fields = Readonly<Record<string, string>>;

/** A person who signed in on the page, or whose request had a session. */
export interface SignedInOnPage {
  sessionId: string;
  /** Whether the session was opened for the page, and ends with it. */
  isOfPage: boolean;
}

/** Signed values in the forms of the pages, so that only the page in the same browser can send them. */
export interface ConsentProofs {
  /** @param browser the browser id in the cookie of the page */
  csrf(browser: string, fields: Fields): string;
  isCsrf(sent: string, browser: string, fields: Fields): boolean;
  /** Proves for some minutes that a person signed in, for this request and in this browser. */
  ticket(signedIn: SignedInOnPage, browser: string, fields: Fields): string;
  readTicket(sent: string, browser: string, fields: Fields): SignedInOnPage | undefined;
}

const isSame = (sent: string, made: string): boolean => {
  const [one, other] = [Buffer.from(sent), Buffer.from(made)];
  return one.length === other.length && timingSafeEqual(one, other);
};
const sortEntries = (fields: Fields): string[][] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** @param secret the signing key of the server; the proofs use a key that is derived from it */
export const createConsentProofs = ({
  secret,
  clock,
}: {
  secret: Uint8Array;
  clock: Clock;
}): ConsentProofs => {
  const key = createHmac('sha256', secret).update('forms of consent').digest();
  const sign = (...parts: readonly unknown[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  const csrf = (browser: string, fields: Fields): string => sign('csrf', browser, sortEntries(fields));
  const seal = ({ sessionId, isOfPage }: SignedInOnPage, end: number, browser: string, fields: Fields) =>
    sign('ticket', sessionId, isOfPage, end, browser, sortEntries(fields));
  return {
    csrf,
    isCsrf: (sent, browser, fields) => isSame(sent, csrf(browser, fields)),
    ticket: (signedIn, browser, fields) => {
      const end = clock.now().getTime() + oauthLifetimes.page;
      const { sessionId, isOfPage } = signedIn;
      return [sessionId, isOfPage ? '1' : '0', end, seal(signedIn, end, browser, fields)].join('.');
    },
    readTicket: (sent, browser, fields) => {
      const [, sessionId = '', own, end, mac = ''] =
        /^([^.]+)\.([01])\.(\d{1,15})\.([^.]+)$/.exec(sent) ?? [];
      const signedIn = { sessionId, isOfPage: own === '1' };
      const isGood = isSame(mac, seal(signedIn, Number(end), browser, fields));
      return isGood && Number(end) > clock.now().getTime() ? signedIn : undefined;
    },
  };
};
