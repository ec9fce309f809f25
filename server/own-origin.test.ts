import assert from 'node:assert/strict'
import test from 'node:test'
import { agentLabelOf, ownOrigin } from './own-origin.ts'

const AGENTS = { publicUrl: 'https://office.example.com/', agentDomainSuffix: 'partners.example.com' }
const NONE = { publicUrl: undefined, agentDomainSuffix: undefined }

test('an agent is named by one label before the suffix, and by nothing else', () => {
  const cases: [host: string | undefined, label: string | null][] = [
    ['xinyuan.partners.example.com', 'xinyuan'],
    ['XinYuan.Partners.Example.com:8443', 'xinyuan'],
    ['xin-yuan2.partners.example.com', 'xin-yuan2'],
    ['partners.example.com', null],
    ['.partners.example.com', null],
    ['a.b.partners.example.com', null],
    ['-a.partners.example.com', null],
    ['a-.partners.example.com', null],
    ['a_b.partners.example.com', null],
    ['evilpartners.example.com', null],
    ['xinyuan.partners.example.com.evil.example', null],
    ['office.example.com', null],
    [undefined, null],
  ]
  for (const [host, label] of cases) assert.equal(agentLabelOf(host, AGENTS), label, host)
  assert.equal(agentLabelOf('xinyuan.partners.example.com', NONE), null)
})

test('a page is our own under the public address and under an agent’s domain, not under another host', () => {
  const cases: [addresses: typeof AGENTS | typeof NONE, host: string, origin: string][] = [
    [AGENTS, 'office.example.com', 'https://office.example.com'],
    [AGENTS, 'evil.example', 'https://office.example.com'],
    [AGENTS, 'xinyuan.partners.example.com', 'https://xinyuan.partners.example.com'],
    [AGENTS, 'x.xinyuan.partners.example.com', 'https://office.example.com'],
    [NONE, '127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ]
  for (const [addresses, host, origin] of cases)
    assert.equal(ownOrigin(addresses, { host, scheme: 'http' }), origin, host)
})
