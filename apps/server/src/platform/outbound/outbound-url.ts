import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-addresses.ts';

/** The host of an address as a name or an IP address, without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopbackAddress(host);

/**
 * What keeps an address from being called, as far as it shows without asking for the addresses of its name; undefined
 * where nothing does.
 * @param allowsPrivate whether addresses of private networks and of this machine may be called
 * @param allowsPlain whether http may be used beyond this machine
 */
export const findOutboundUrlError = (
  text: string,
  allowsPrivate: boolean,
  allowsPlain = false,
): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return allowsPlain
      ? 'is no address that begins with http:// or https://'
      : 'is no address that begins with https://';
  if (url.username !== '' || url.password !== '') return 'must hold no user name and no password';
  if (url.hash !== '') return 'must hold no part behind "#"';
  const host = hostOf(url);
  if (url.protocol === 'http:' && !allowsPlain && !isLoopbackHost(host)) return 'must begin with https://';
  const isPrivate = isLoopbackHost(host) || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isPrivate && !allowsPrivate)
    return 'is of this machine or a private network, which this server does not call (setting ALLOW_PRIVATE_ADDRESSES)';
  return undefined;
};
