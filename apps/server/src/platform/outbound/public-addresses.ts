import { BlockList, isIP } from 'node:net';

/** Networks of IPv4 that are not the open internet's: private, of this machine, of its link, for groups, for examples. */
const privateNetworks = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Of the addresses of IPv6 that are given out at all, those that lead elsewhere: into IPv4, or into examples. */
const indirectNetworks = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const refused = new BlockList();
for (const [network, bits] of privateNetworks) refused.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of indirectNetworks) refused.addSubnet(network, bits, 'ipv6');
const given = new BlockList();
given.addSubnet('2000::', 3, 'ipv6');
const ownMachine = new BlockList();
ownMachine.addSubnet('127.0.0.0', 8, 'ipv4');
ownMachine.addAddress('::1', 'ipv6');

/** Whether an IP address is of the open internet. Of IPv6 only what is given out there counts, so no embedded IPv4 does. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !refused.check(address, 'ipv4');
    case 6:
      return given.check(address, 'ipv6') && !refused.check(address, 'ipv6');
    default:
      return false;
  }
};

/** Whether an IP address is of this machine. */
export const isLoopbackAddress = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && ownMachine.check(address, family === 4 ? 'ipv4' : 'ipv6');
};
