import assert from 'node:assert/strict'
import test from 'node:test'
import { isLoopbackAddress, isPublicAddress } from './addresses.ts'

const REFUSED: Record<string, string> = {
  '0.0.0.0': 'this machine',
  '0.1.2.3': 'this network',
  '10.0.0.1': 'private',
  '10.255.255.255': 'private',
  '100.64.0.1': 'carrier-grade NAT',
  '100.100.100.200': 'metadata at Aliyun',
  '100.127.255.254': 'carrier-grade NAT',
  '127.0.0.1': 'loopback',
  '127.1.2.3': 'loopback',
  '168.63.129.16': 'metadata at Azure',
  '169.254.0.1': 'link-local',
  '169.254.169.254': 'metadata',
  '169.254.0.23': 'metadata at Tencent',
  '172.16.0.1': 'private',
  '172.31.255.255': 'private',
  '192.0.0.8': 'protocol assignments',
  '192.0.0.192': 'metadata at Oracle',
  '192.0.2.7': 'documentation',
  '192.88.99.1': '6to4 relay',
  '192.168.0.1': 'private',
  '198.18.0.1': 'benchmarks',
  '198.19.255.255': 'benchmarks',
  '198.51.100.7': 'documentation',
  '203.0.113.7': 'documentation',
  '224.0.0.1': 'multicast',
  '239.255.255.250': 'multicast',
  '240.0.0.1': 'reserved',
  '255.255.255.255': 'broadcast',
  '::': 'unspecified',
  '::1': 'loopback',
  '::ffff:127.0.0.1': 'loopback as IPv6',
  '::ffff:7f00:1': 'loopback as IPv6 in groups',
  '::ffff:10.0.0.1': 'private as IPv6',
  '::ffff:169.254.169.254': 'metadata as IPv6',
  '::127.0.0.1': 'IPv4-compatible',
  '::ffff:0:127.0.0.1': 'translated IPv4',
  '64:ff9b::7f00:1': 'NAT64 to loopback',
  '64:ff9b::808:808': 'NAT64',
  '64:ff9b:1::a00:1': 'NAT64 of a network',
  '100::1': 'discarded',
  '2001::1': 'Teredo',
  '2001:10::1': 'ORCHID',
  '2001:db8::1': 'documentation',
  '2002:7f00:1::1': '6to4 to loopback',
  '2002:a00:1::1': '6to4 to private',
  '3fff::1': 'documentation',
  '5f00::1': 'segment routing',
  'fc00::1': 'unique-local',
  'fd00:ec2::254': 'metadata at AWS',
  'fe80::1': 'link-local',
  'fec0::1': 'site-local',
  'ff02::1': 'multicast',
  'fe80::1%eth0': 'with a zone',
  '2130706433': 'no address as it is written',
  '0x7f.1': 'no address as it is written',
  '127.0.0.1.': 'no address as it is written',
  localhost: 'no address at all',
  '': 'nothing',
}
const ALLOWED = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2400:3200::1',
  '2606:4700:4700::1111',
]

test('nothing but the public internet is reached', () => {
  assert.ok(Object.keys(REFUSED).length > 30)
  for (const [address, why] of Object.entries(REFUSED))
    assert.equal(isPublicAddress(address), false, `${address}: ${why}`)
  for (const address of ALLOWED) assert.equal(isPublicAddress(address), true, address)
})

test('loopback is told apart from the rest of what is closed', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '::1', '::ffff:127.0.0.1'])
    assert.equal(isLoopbackAddress(address), true, address)
  for (const address of ['10.0.0.1', '128.0.0.1', '::2', 'localhost'])
    assert.equal(isLoopbackAddress(address), false, address)
})
