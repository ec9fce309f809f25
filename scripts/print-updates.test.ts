// The key that signs updates of the print program: made once, kept from others, and never in the repository.
import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { ROOT } from './checks.ts'
import { keyFileOf, publicHalf, signedUpdate, updateKey } from './print-updates.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'partner-office-key-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

test('the key is made once, for its owner alone, where the setting says', () => {
  const file = join(dir, 'keys', 'update.pem')
  const first = updateKey(file, ROOT)
  assert.equal(first.isNew, true)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const again = updateKey(file, ROOT)
  assert.deepEqual([again.isNew, publicHalf(again.key)], [false, publicHalf(first.key)])
  assert.equal(keyFileOf({ PRINT_PROGRAM_KEY_FILE: file }), file)
  assert.ok(keyFileOf({}).startsWith(homedir()))
})

test('a key in the repository, one that others read, and one of another kind are refused in words', () => {
  const inside = join(ROOT, 'dist', 'packs', 'key.pem')
  assert.throws(() => updateKey(inside, ROOT), /PRINT_PROGRAM_KEY_FILE.*outside/)
  const open = join(dir, 'open.pem')
  updateKey(open, ROOT)
  chmodSync(open, 0o644)
  assert.throws(() => updateKey(open, ROOT), /others may read/)
  const rsa = join(dir, 'rsa.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  writeFileSync(rsa, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  assert.throws(() => updateKey(rsa, ROOT), /no Ed25519 key/)
})

test('what is signed names the file by its bytes, and is verified by the public half alone', () => {
  const file = join(dir, 'update.pem')
  const { key } = updateKey(file, ROOT)
  const bytes = Buffer.from('program')
  const update = signedUpdate(key, { system: 'win-x64', version: '1.2.0', name: 'program.gz', bytes })
  const half = createPublicKey({ key: Buffer.from(publicHalf(key), 'base64'), type: 'spki', format: 'der' })
  const { manifest, signature } = update
  assert.ok(verify(null, Buffer.from(manifest), half, Buffer.from(signature, 'base64')))
  assert.match(
    manifest,
    /"version":"1.2.0","system":"win-x64","name":"program.gz","byteSize":7,"sha256":"[0-9a-f]{64}"/,
  )
  assert.ok(!JSON.stringify(update).includes(readFileSync(file, 'utf8').split('\n')[1] ?? ''))
})
