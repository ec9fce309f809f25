import assert from 'node:assert/strict'
import test from 'node:test'
import { hashPassword, makeSecrets, verifyPassword } from './secrets.ts'

const secrets = makeSecrets('0'.repeat(64))
const others = makeSecrets('1'.repeat(64))

test('what is encrypted comes back, looks different every time, and opens with the same key alone', () => {
  const plain = '商户密钥 {"signKey":"abc"}'
  const sealed = secrets.encrypt(plain)
  assert.equal(secrets.decrypt(sealed), plain)
  assert.notDeepEqual(secrets.encrypt(plain), sealed)
  assert.ok(!sealed.toString('latin1').includes('signKey'))
  assert.throws(() => others.decrypt(sealed))
})

test('any changed byte is noticed', () => {
  const sealed = secrets.encrypt('secret')
  for (let i = 0; i < sealed.length; i++) {
    const changed = Buffer.from(sealed)
    changed[i] = (changed[i] as number) ^ 1
    assert.throws(() => secrets.decrypt(changed), `byte ${i}`)
  }
})

test('a digest is the same for the same text, and another with another key', () => {
  assert.equal(secrets.digest('123456').length, 32)
  assert.deepEqual(secrets.digest('123456'), secrets.digest('123456'))
  assert.notDeepEqual(secrets.digest('123456'), secrets.digest('123457'))
  assert.notDeepEqual(secrets.digest('123456'), others.digest('123456'))
})

test("the database role's password follows from the secret and does not show it", () => {
  assert.equal(secrets.databasePassword, makeSecrets('0'.repeat(64)).databasePassword)
  assert.notEqual(secrets.databasePassword, others.databasePassword)
  assert.match(secrets.databasePassword, /^[0-9a-f]{64}$/)
})

test('a password is kept as argon2id with 19 MiB, 2 passes, 1 lane, salted', async () => {
  const stored = await hashPassword('demo2026')
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(await hashPassword('demo2026'), stored)
  assert.equal(await verifyPassword('demo2026', stored), true)
  for (const wrong of ['demo2027', '', 'DEMO2026', `${'demo2026'} `])
    assert.equal(await verifyPassword(wrong, stored), false)
})

test('a text that is no hash of ours matches nothing', async () => {
  for (const text of ['', 'none', 'demo2026', '$2b$10$abc', '$argon2id$v=19$m=19456,t=2,p=1$'])
    assert.equal(await verifyPassword('none', text), false, text)
})
