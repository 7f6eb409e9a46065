import { BlockList, isIP } from 'node:net';

/** IPv4 networks that are not public: private, loopback, link-local, multicast, reserved, and for documentation. */
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

/** Networks within the global IPv6 range that are not public: those that embed IPv4, and those for documentation. */
const indirectNetworks = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublic = new BlockList();
for (const [network, bits] of privateNetworks) notPublic.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of indirectNetworks) notPublic.addSubnet(network, bits, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const ownMachine = new BlockList();
ownMachine.addSubnet('127.0.0.0', 8, 'ipv4');
ownMachine.addAddress('::1', 'ipv6');

/** Whether an IP address is public. For IPv6, only global unicast addresses are, which excludes embedded IPv4. */
export const isPublicAddress = (address: string): boolean => {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
    default:
      return false;
  }
};

export const isLoopbackAddress = (address: string): boolean => {
  const family = isIP(address);
  return family !== 0 && ownMachine.check(address, family === 4 ? 'ipv4' : 'ipv6');
};
