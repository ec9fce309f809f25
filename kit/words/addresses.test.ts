import assert from 'node:assert/strict'
import test from 'node:test'
import { isWithin, parseAddress, parseNetwork } from './addresses.ts'

const WRITTEN: [string, string | null][] = [
  ['192.0.2.1', 'c0000201/32'],
  ['0.0.0.0', '0/32'],
  ['255.255.255.255', 'ffffffff/32'],
  ['256.0.2.1', null],
  ['192.0.2', null],
  ['192.0.2.01', null],
  ['192.0.2.1.', null],
  ['::', '0/128'],
  ['::1', '1/128'],
  ['2001:db8::7', '20010db8000000000000000000000007/128'],
  ['2001:DB8:0:0:0:0:0:7', '20010db8000000000000000000000007/128'],
  ['1:2:3:4:5:6:7:8', '10002000300040005000600070008/128'],
  ['::ffff:192.0.2.1', 'c0000201/32'],
  ['::ffff:c000:201', 'c0000201/32'],
  ['64:ff9b::192.0.2.1', '64ff9b0000000000000000c0000201/128'],
  ['1:2:3:4:5:6:7', null],
  ['1:2:3:4:5:6:7:8:9', null],
  ['1:2:3:4:5:6:7:8::', null],
  ['1::2::3', null],
  ['12345::', null],
  ['::g', null],
  ['fe80::1%eth0', null],
  [':1:2:3:4:5:6:7', null],
  ['', null],
  ['example.com', null],
]
for (const [text, read] of WRITTEN)
  test(`${text || 'nothing'} is ${read ?? 'no address'}`, () => {
    const address = parseAddress(text)
    const told = address && `${address.value.toString(16)}/${address.bits}`
    assert.equal(told, read)
  })

const NETWORKS: [string, number | null][] = [
  ['192.0.2.1', 32],
  ['192.0.2.0/24', 24],
  ['192.0.2.0/1', 1],
  ['2001:db8::/32', 32],
  ['::ffff:192.0.2.0/120', 24],
  ['::ffff:192.0.2.0/24', null],
  ['192.0.2.0/33', null],
  ['192.0.2.0/0', null],
  ['::/0', null],
  ['192.0.2.0/', null],
  ['192.0.2.0/024', null],
  ['192.0.2.0/24/24', null],
  ['2001:db8::/129', null],
]
for (const [text, prefix] of NETWORKS)
  test(`${text} is ${prefix === null ? 'no network' : `a network of ${prefix} bits`}`, () =>
    assert.equal(parseNetwork(text)?.prefix ?? null, prefix))

const WITHIN: [string, string[], boolean][] = [
  ['192.0.2.9', ['192.0.2.9'], true],
  ['192.0.2.9', ['192.0.2.8'], false],
  ['192.0.2.9', ['198.51.100.1', '192.0.2.0/24'], true],
  ['192.0.3.9', ['192.0.2.0/24'], false],
  ['192.0.3.9', ['192.0.2.0/23'], true],
  ['192.0.2.9', ['192.0.2.255/24'], true],
  ['::ffff:192.0.2.9', ['192.0.2.0/24'], true],
  ['2001:db8:1::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32'], false],
  ['0.0.0.5', ['::/64'], false],
  ['nonsense', ['192.0.2.0/24'], false],
  ['192.0.2.9', [], false],
]
for (const [address, networks, isIn] of WITHIN)
  test(`${address} is ${isIn ? '' : 'not '}within ${networks.join(', ') || 'none'}`, () =>
    assert.equal(isWithin(address, networks), isIn))
