import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { makeSecrets } from '#server/secrets.ts'
import { newFileKey, seal, unseal } from './sealing.ts'

const secrets = makeSecrets('0'.repeat(64))
const others = makeSecrets('1'.repeat(64))
const key = newFileKey(secrets)

test('what is sealed comes back, looks different every time, and shows nothing of itself', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('%PDF-1.7 营业执照'), randomBytes(300_000)]) {
    const sealed = seal(secrets, key, 'a', bytes)
    assert.ok(unseal(secrets, key, 'a', sealed).equals(bytes))
    assert.ok(!seal(secrets, key, 'a', bytes).equals(sealed))
    assert.ok(bytes.length === 0 || !sealed.includes(bytes.subarray(0, 8)))
  }
})

test('each file has a key of its own, and none opens without the secret', () => {
  const sealed = seal(secrets, key, 'a', Buffer.from('paper'))
  assert.notDeepEqual(secrets.decrypt(newFileKey(secrets)), secrets.decrypt(key))
  assert.equal(Buffer.from(secrets.decrypt(key), 'base64').length, 32)
  assert.throws(() => unseal(secrets, newFileKey(secrets), 'a', sealed))
  assert.throws(() => unseal(others, key, 'a', sealed))
  assert.ok(!key.includes(Buffer.from(secrets.decrypt(key), 'base64')))
})

test('any changed, missing or added byte is noticed, and so is the file of another name', () => {
  const sealed = seal(secrets, key, 'a', Buffer.from('paper'))
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] as number) ^ 1
    assert.throws(() => unseal(secrets, key, 'a', changed), `byte ${at}`)
    assert.throws(() => unseal(secrets, key, 'a', sealed.subarray(0, at)), `${at} bytes`)
  }
  assert.throws(() => unseal(secrets, key, 'a', Buffer.concat([sealed, Buffer.of(0)])))
  assert.throws(() => unseal(secrets, key, 'b', sealed))
})
