import { unauthenticated } from '@redoubt/errors';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SingleSignOnSettings } from '../../platform/config/index.ts';
import { createIsTrustedProxy } from '../../platform/http/client-address.ts';

/** What is known of the connection that a request came by. */
export interface Caller {
  headers: IncomingHttpHeaders;
  /** The address at the other end of the connection, whatever headers say. */
  peer: string | undefined;
}

/**
 * The verified address that a proxy vouches for, in lower case.
 * @throws AuthError 401 in the same words unless the request comes from a listed proxy with the shared secret
 */
export type ReadProxyIdentity = (caller: Caller) => string;

const secretHeader = 'x-proxy-secret';
const emailForm = /^[^\s@,]{1,64}@[^\s@,]{1,189}$/;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const single = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

export const createReadProxyIdentity = (settings: SingleSignOnSettings['proxy']): ReadProxyIdentity => {
  if (settings === undefined) {
    return () => {
      throw unauthenticated('Signing in through a proxy is off on this server: use strategy "local".');
    };
  }
  const isListed = createIsTrustedProxy(settings.from);
  const expected = digest(settings.secret);
  return ({ headers, peer }) => {
    const isSecretRight = timingSafeEqual(digest(single(headers, secretHeader) ?? ''), expected);
    const email = single(headers, settings.emailHeader)?.trim().toLowerCase();
    if (!isListed(peer) || !isSecretRight) {
      throw unauthenticated(
        'This request does not come through a proxy that may sign people in: use another strategy.',
      );
    }
    if (email === undefined || !emailForm.test(email)) {
      throw unauthenticated(
        `The proxy does not say who signs in: it has to send one email address in the header ${settings.emailHeader}.`,
      );
    }
    return email;
  };
};
