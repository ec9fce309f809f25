// The archive of the print program for Linux: what its launch file puts in place, and starts.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { LINUX_START, NAME } from './print-launch.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'partner office launch-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const home = () => join(dir, 'home')
const present = () => join(home(), '.local', 'share', NAME, NAME)

/** A program that says its version, where it knows the question, and by what words it was started. */
function program(version: string, knows = true): string {
  const asked = knows ? `echo ${version}; exit 0` : 'exit 1'
  return `#!/bin/sh\nif [ "$1" = --version ]; then ${asked}; fi\nprintf '%s' "${version} $*"\n`
}

/** What the program said that was started in the end. */
function launched(brought: string, knows = true): string {
  const archive = join(dir, 'unpacked')
  mkdirSync(archive, { recursive: true })
  writeFileSync(join(archive, NAME), program(brought, knows), { mode: 0o755 })
  writeFileSync(join(archive, 'start.sh'), LINUX_START, { mode: 0o755 })
  return execFileSync(join(archive, 'start.sh'), { env: { ...process.env, HOME: home() } }).toString()
}

test('the first double click puts the program in place, starts it with its page, and lets it start with the desk', () => {
  assert.equal(launched('1.2.0'), '1.2.0 --open')
  const started = readFileSync(join(home(), '.config', 'autostart', `${NAME}.desktop`), 'utf8')
  assert.equal(
    started.split('\n').find(line => line.startsWith('Exec=')),
    `Exec=${present()}`,
  )
})

test('an archive that is newer replaces what is there; one that is older leaves it', () => {
  launched('1.9.0')
  assert.equal(launched('1.10.0'), '1.10.0 --open')
  // As where the program was replaced by itself since.
  assert.equal(launched('1.2.0'), '1.10.0 --open')
  assert.equal(readFileSync(present(), 'utf8'), program('1.10.0'))
})

test('what is there and knows no question after its version is replaced', () => {
  mkdirSync(join(present(), '..'), { recursive: true })
  writeFileSync(present(), program('1.1.0', false), { mode: 0o755 })
  assert.equal(launched('1.2.0'), '1.2.0 --open')
})
