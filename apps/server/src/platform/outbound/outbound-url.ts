import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-addresses.ts';

/** The host of a URL as a name or an IP address, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

/**
 * Checks whether a URL may be called, without resolving its name.
 * @param allowsPrivate whether addresses of private networks and of this machine may be called
 * @param allowsPlain whether http may be used beyond this machine
 * @returns why it may not be called, as a predicate such as "must begin with https://"; undefined if it may
 */
export const findOutboundUrlError = (
  text: string,
  allowsPrivate: boolean,
  allowsPlain = false,
): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return allowsPlain
      ? 'must be a URL that begins with http:// or https://'
      : 'must be a URL that begins with https://';
  }
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hash !== '') return 'must not contain a fragment ("#")';
  const host = hostOf(url);
  if (url.protocol === 'http:' && !allowsPlain && !isLoopbackHost(host)) return 'must begin with https://';
  const isPrivate = isLoopbackHost(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isPrivate && !allowsPrivate)
    return 'must not lead to this machine or a private network (unless the operator sets ALLOW_PRIVATE_ADDRESSES)';
  return undefined;
};
