import type { FastifyRequest } from 'fastify';
import { BlockList, isIP } from 'node:net';

/** Whether an address belongs to a proxy that is trusted to report the addresses of its clients. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

/** The canonical form of an address: IPv4 that a socket reports as IPv6 becomes IPv4, and the zone is removed. */
const plainAddress = (address: string): string =>
  address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

/** Whether a text is an address (`10.0.0.1`) or a network (`10.0.0.0/8`, `fd00::/8`). */
export const isProxy = (proxy: string): boolean => {
  const [address = '', bits = '0', ...more] = proxy.split('/');
  return (
    isIP(address) !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= widthOf(address) && more.length === 0
  );
};

const widthOf = (address: string): number => (isIP(address) === 4 ? 32 : 128);

/** @param proxies addresses and networks; other texts are ignored */
export const createIsTrustedProxy = (proxies: readonly string[]): IsTrustedProxy => {
  const list = new BlockList();
  for (const proxy of proxies.filter(isProxy)) {
    const [address = '', bits = widthOf(address)] = proxy.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => {
    const plain = plainAddress(address ?? '');
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
};

/**
 * The client's address, for limits and the audit log: that of the connection, or the one that trusted proxies report
 * (`X-Forwarded-For`, read from its end to the first address that is not a trusted proxy).
 */
export const clientAddress = (request: Pick<FastifyRequest, 'ip' | 'socket'>): string => {
  const reported = plainAddress(request.ip);
  // A proxy may pass on a text that is not an address: then only the proxy's own address is certain.
  return isIP(reported) === 0 ? plainAddress(request.socket.remoteAddress ?? '') : reported;
};

/**
 * The key under which requests of an address are counted: for IPv6 its /64 network, since every client has at least
 * that.
 */
export const addressOwner = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  const network = [...groups, ...(tail === undefined ? [] : zeros), ...after].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
