import assert from 'node:assert/strict'
import test from 'node:test'
import { compareVersions, manifestText, UpdateManifest } from './updates.ts'

const manifest: Parameters<typeof manifestText>[0] = {
  ...{ version: '1.2.0', system: 'linux-x64', name: 'program-linux-x64.gz' },
  ...{ byteSize: 10, sha256: 'a'.repeat(64) },
}

test('a version is newer by its numbers, not by its letters', () => {
  const order = ['0.9.9', '1.2.0', '1.2.9', '1.2.10', '1.10.0', '2.0.0']
  for (const [at, version] of order.entries())
    for (const [other, second] of order.entries())
      assert.equal(Math.sign(compareVersions(version, second)), Math.sign(at - other), `${version} ${second}`)
})

test('what is signed is read as it was said, and says what it is signed for', () => {
  const read = UpdateManifest.parse(JSON.parse(manifestText(manifest)))
  assert.deepEqual(read, { purpose: 'partner-office-print-update', ...manifest })
})

test('what leads out of the folder, has no known system or no known version is no manifest', () => {
  const wrong = [
    { name: '../server.js' },
    { name: 'a/b' },
    { name: '' },
    { system: 'darwin-arm64' },
    { version: '1.2' },
    { version: '1.2.0-beta' },
    { version: '01.2.0' },
    { byteSize: 0 },
    { byteSize: 2 ** 40 },
    { sha256: 'A'.repeat(64) },
    { purpose: 'licence' },
    { more: 1 },
  ]
  const given = JSON.parse(manifestText(manifest)) as object
  for (const change of wrong)
    assert.equal(UpdateManifest.safeParse({ ...given, ...change }).success, false, JSON.stringify(change))
})
