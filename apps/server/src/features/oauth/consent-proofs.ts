import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../platform/runtime.ts';
import { oauthLifetimes } from './lifetimes.ts';

/** What a page is about: the fields of the authorization request, and what somebody decides on besides. */
type Fields = Readonly<Record<string, string>>;

/** Somebody who signed in on the page, or showed their session. */
export interface SignedInOnPage {
  sessionId: string;
  /** Whether the session was made for the page, and ends with it. */
  isOfPage: boolean;
}

/** What the forms of the page carry, so that nothing but the page, in the same browser, can send them. */
export interface ConsentProofs {
  /** @param browser what the cookie of the page holds */
  csrf(browser: string, fields: Fields): string;
  isCsrf(sent: string, browser: string, fields: Fields): boolean;
  /** That somebody signed in, for this request and in this browser, a few minutes long. */
  ticket(signedIn: SignedInOnPage, browser: string, fields: Fields): string;
  readTicket(sent: string, browser: string, fields: Fields): SignedInOnPage | undefined;
}

const isSame = (sent: string, made: string): boolean => {
  const [one, other] = [Buffer.from(sent), Buffer.from(made)];
  return one.length === other.length && timingSafeEqual(one, other);
};
const orderly = (fields: Fields): string[][] =>
  Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1));

/** @param secret the key of the server; what is made of it here is good for nothing else */
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
  const csrf = (browser: string, fields: Fields): string => sign('csrf', browser, orderly(fields));
  const seal = ({ sessionId, isOfPage }: SignedInOnPage, end: number, browser: string, fields: Fields) =>
    sign('ticket', sessionId, isOfPage, end, browser, orderly(fields));
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
