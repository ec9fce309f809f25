// Messages that the published library signs are let in; what is forged, old or signed with another secret is not.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Webhook } from 'standardwebhooks'
import { isGenuine } from './wire.ts'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const NOW = new Date('2026-03-04T05:06:07.000Z')
const BODY = '{"type":"shop.changed","data":{"shopId":10000001}}'

function signed(secret: string, at = NOW): Record<string, string> {
  return {
    'webhook-id': 'change_7',
    'webhook-timestamp': String(at.getTime() / 1000),
    'webhook-signature': new Webhook(secret).sign('change_7', at, BODY),
  }
}
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)
const right = signed(SECRET)

const CASES: [
  name: string,
  headers: Record<string, string>,
  secrets: string[],
  body: string,
  isLetIn: boolean,
][] = [
  ['its own', right, [SECRET], BODY, true],
  ['while the secret is rotated', right, [OTHER, SECRET], BODY, true],
  [
    'with two signatures',
    { ...right, 'webhook-signature': `${signed(OTHER)['webhook-signature']} ${right['webhook-signature']}` },
    [SECRET],
    BODY,
    true,
  ],
  ['nearly too old', signed(SECRET, minutesAgo(5)), [SECRET], BODY, true],
  ['old', signed(SECRET, minutesAgo(6)), [SECRET], BODY, false],
  ['of later', signed(SECRET, minutesAgo(-6)), [SECRET], BODY, false],
  ['of another secret', signed(OTHER), [SECRET], BODY, false],
  ['with another body', right, [SECRET], `${BODY} `, false],
  ['with another id', { ...right, 'webhook-id': 'change_8' }, [SECRET], BODY, false],
  ['with a moment of another form', { ...right, 'webhook-timestamp': 'soon' }, [SECRET], BODY, false],
  ['with a signature of another kind', { ...right, 'webhook-signature': 'v1a,AAAA' }, [SECRET], BODY, false],
  ['with an empty signature', { ...right, 'webhook-signature': 'v1,' }, [SECRET], BODY, false],
  ['without headers', {}, [SECRET], BODY, false],
  ['nobody has a secret', right, [], BODY, false],
]

for (const [name, headers, secrets, body, expected] of CASES)
  test(`a message: ${name}`, () => {
    assert.equal(isGenuine({ headers, body: Buffer.from(body) }, secrets, NOW), expected)
  })
