import type { FastifyRequest } from 'fastify';
import { BlockList, isIP } from 'node:net';

/** Whether an address is one of a proxy whose word about its clients counts. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

/** An address in the form that is kept and compared: IPv4 as such where a socket shows it inside IPv6, no zone. */
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

/** @param proxies addresses and networks; whatever is neither is none */
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
 * The address that a request comes from, for limits and for the audit log: that of the connection, or what trusted
 * proxies say of it (`X-Forwarded-For`, read from its end up to the first who is no trusted proxy).
 */
export const clientAddress = (request: Pick<FastifyRequest, 'ip' | 'socket'>): string => {
  const told = plainAddress(request.ip);
  // A proxy may pass on a text that is no address; then its own is the last that is sure.
  return isIP(told) === 0 ? plainAddress(request.socket.remoteAddress ?? '') : told;
};

/** Whom an address stands for where requests are counted: in IPv6 everybody has at least a network of 64 bits. */
export const addressOwner = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - after.length) }, () => '0');
  const network = [...groups, ...(tail === undefined ? [] : zeros), ...after].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};
