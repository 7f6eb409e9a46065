/* Shows: A-client-address */
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { addressOwner, clientAddress, createIsTrustedProxy, isProxy } from './client-address.ts';

const addressFor = (ip: string, remoteAddress = '192.0.2.1') =>
  clientAddress({ ip, socket: { remoteAddress } as never });

test('trusted proxies are addresses and networks, in every form that a socket reports', () => {
  const isTrusted = createIsTrustedProxy(['10.0.0.0/8', '192.0.2.7', 'fd00::/8']);
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '192.0.2.7', 'fd12::1', 'fd12::1%eth0']) {
    equal(isTrusted(address), true, address);
  }
  for (const address of ['11.0.0.1', '192.0.2.8', 'fe80::1', '', 'unknown', undefined]) {
    equal(isTrusted(address), false, address);
  }
  equal(createIsTrustedProxy([])('127.0.0.1'), false);
});

test('a proxy must be an address or a network', () => {
  for (const proxy of ['10.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']) equal(isProxy(proxy), true, proxy);
  for (const proxy of [
    'proxy.example.org',
    '10.0.0.0/33',
    '10.0.0.0/x',
    'fd00::/129',
    '10.0.0/8',
    '1.2.3.4/8/9',
    '',
  ]) {
    equal(isProxy(proxy), false, proxy);
  }
});

test('a text from a proxy that is not an address is not used as the address of the client', () => {
  equal(addressFor('198.51.100.4'), '198.51.100.4');
  equal(addressFor('::ffff:198.51.100.4'), '198.51.100.4');
  equal(addressFor('" or 1=1', '::ffff:192.0.2.1'), '192.0.2.1');
});

test('IPv6 addresses count by network, IPv4 addresses one by one', () => {
  equal(addressOwner('198.51.100.4'), '198.51.100.4');
  equal(addressOwner('2001:db8::1'), '2001:db8:0:0::/64');
  equal(addressOwner('2001:db8:0:0:9:8:7:6'), '2001:db8:0:0::/64');
  equal(addressOwner('2001:db8:0:1::'), '2001:db8:0:1::/64');
  equal(addressOwner('::1'), '0:0:0:0::/64');
});
