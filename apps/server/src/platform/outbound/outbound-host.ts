import { isIP } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-addresses.ts';

/** A name of the DNS, or an IP address without brackets. */
const hostName =
  /^[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*\.?$/;

/**
 * Checks whether a host may be connected to, without resolving its name.
 * @returns why it may not, as a predicate such as "must be the name of a host"; undefined if it may
 */
export const findOutboundHostError = (host: string, allowsPrivate: boolean): string | undefined => {
  const isAddress = isIP(host) !== 0;
  if (!isAddress && (host.length > 253 || !hostName.test(host)))
    return 'must be the name of a host or an IP address, without a scheme, a path or a port';
  const isPrivate =
    /^localhost\.?$/i.test(host) || (isAddress && (isLoopbackAddress(host) || !isPublicAddress(host)));
  if (isPrivate && !allowsPrivate)
    return 'must not lead to this machine or a private network (unless the operator sets ALLOW_PRIVATE_ADDRESSES)';
  return undefined;
};
