import assert from 'node:assert/strict'
import test from 'node:test'
import { refuseUrl, retryAfterS } from './rules.ts'

const isClosed = (host: string) => host !== '8.8.8.8'
const outside = (url: string) => refuseUrl(url, { toLoopback: false, isClosed })
const here = (url: string) => refuseUrl(url, { toLoopback: true, isClosed })

test('an address is sealed, public as far as it says, and without a secret in it', () => {
  for (const url of ['https://pos.example.com/hooks?a=1', 'https://8.8.8.8/x', 'https://店铺.中国/x'])
    assert.equal(outside(url), null, url)
  assert.equal(outside(''), 'URL_REQUIRED')
  assert.equal(outside(`https://pos.example.com/${'x'.repeat(500)}`), 'URL_TOO_LONG')
  for (const url of [
    'pos.example.com',
    'http://pos.example.com',
    'ftp://pos.example.com',
    'https://',
    'https://a:b@pos.example.com',
    'https://pos.example.com/#x',
    'javascript:alert(1)',
  ])
    assert.equal(outside(url), 'URL_FORMAT', url)
  for (const url of [
    'https://localhost',
    'https://a.localhost/',
    'https://printer.local',
    'https://metadata.google.internal',
    'https://intranet',
    'https://10.0.0.1',
    'https://[::1]/',
    'https://2130706433',
    'https://127.1',
    'https://0x7f000001/',
  ])
    assert.equal(outside(url), 'URL_CLOSED', url)
})

test('this machine is an address where the operator lets it be, and the network around it is not', () => {
  for (const url of ['http://127.0.0.1:4000/hooks', 'http://localhost:4000', 'https://[::1]:4000/'])
    assert.equal(here(url), null, url)
  assert.equal(here('http://10.0.0.1'), 'URL_FORMAT')
  assert.equal(here('https://10.0.0.1'), 'URL_CLOSED')
})

test('a delivery is tried again ever more seldom, for three days', () => {
  const waits: number[] = []
  for (let age = 0; ; ) {
    const wait = retryAfterS(waits.length + 1, age)
    if (wait === null) break
    waits.push(wait)
    age += wait
  }
  assert.deepEqual(waits.slice(0, 8), [5, 30, 120, 600, 1_800, 3_600, 7_200, 7_200])
  const total = waits.reduce((sum, wait) => sum + wait, 0)
  assert.ok(total <= 3 * 86_400 && total > 3 * 86_400 - 7_200)
})
