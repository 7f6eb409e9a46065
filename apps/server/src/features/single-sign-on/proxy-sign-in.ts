import { unauthenticated } from '@redoubt/errors';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SingleSignOnSettings } from '../../platform/config/index.ts';
import { createIsTrustedProxy } from '../../platform/http/client-address.ts';

/** The headers of a request, and its connection. */
export interface Caller {
  headers: IncomingHttpHeaders;
  /** The address of the connection's peer, regardless of any header. */
  peer: string | undefined;
}

/**
 * Returns the email address that a trusted proxy reports, in lower case.
 * @throws AuthError 401 with the same message unless the request comes from a listed proxy with the shared secret
 */
export type ReadProxyIdentity = (caller: Caller) => string;

const secretHeader = 'x-proxy-secret';
const emailForm = /^[^\s@,]{1,64}@[^\s@,]{1,189}$/;
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const singleHeader = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

export const createReadProxyIdentity = (settings: SingleSignOnSettings['proxy']): ReadProxyIdentity => {
  if (settings === undefined) {
    return () => {
      throw unauthenticated('Signing in through a proxy is turned off on this server. Use strategy "local".');
    };
  }
  const isListed = createIsTrustedProxy(settings.from);
  const expected = digest(settings.secret);
  return ({ headers, peer }) => {
    const isSecretRight = timingSafeEqual(digest(singleHeader(headers, secretHeader) ?? ''), expected);
    const email = singleHeader(headers, settings.emailHeader)?.trim().toLowerCase();
    if (!isListed(peer) || !isSecretRight) {
      throw unauthenticated(
        'This request does not come through a proxy that may sign people in. Use another strategy.',
      );
    }
    if (email === undefined || !emailForm.test(email)) {
      throw unauthenticated(
        `The proxy does not identify the person. It must send one email address in the header ${settings.emailHeader}.`,
      );
    }
    return email;
  };
};
