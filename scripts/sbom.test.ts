import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeSbom } from './sbom.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
type Component = {
  name: string
  version: string
  hashes?: { alg: string }[]
  licenses?: object[]
}

test('the list of parts names every package that the project asks for, with version, checksum and licence', () => {
  const dir = mkdtempSync(join(tmpdir(), 'partner-office-sbom-'))
  try {
    const file = join(dir, 'sbom.json')
    writeSbom(ROOT, file)
    const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as {
      bomFormat: string
      components: Component[]
    }
    assert.equal(bomFormat, 'CycloneDX')
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const wanted = Object.entries<string>({ ...dependencies, ...devDependencies })
    assert.ok(wanted.length > 50)
    for (const [name, version] of wanted) {
      const part = components.find(one => one.name === name && one.version === version)
      assert.ok(part, `${name}@${version} is missing`)
      assert.ok(part.hashes?.length, `${name} has no checksum`)
      assert.ok(part.licenses?.length, `${name} says no licence`)
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})

test('where there is nothing installed it says so', () => {
  const dir = mkdtempSync(join(tmpdir(), 'partner-office-sbom-'))
  try {
    assert.throws(() => writeSbom(dir, join(dir, 'sbom.json')), /npm sbom failed/)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
