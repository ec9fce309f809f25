// What is missed of the dependencies, asked of the bootstrap itself in a folder with a lockfile and an npm that refuses.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from './checks.ts'

const folder = mkdtempSync(join(tmpdir(), 'partner-office-bootstrap-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const LIBC =
  'glibcVersionRuntime' in (process.report.getReport() as { header: object }).header ? 'glibc' : 'musl'
const OTHER_LIBC = LIBC === 'glibc' ? 'musl' : 'glibc'
const BINDING = { version: '1.0.0', os: [process.platform], cpu: [process.arch], optional: true }

/** What is said to whoever starts an office with none but the first of these packages installed. */
function said(packages: Record<string, object>): string {
  mkdirSync(join(folder, 'scripts'), { recursive: true })
  mkdirSync(join(folder, 'node_modules', 'here'), { recursive: true })
  copyFileSync(join(ROOT, 'scripts/bootstrap.mjs'), join(folder, 'scripts/bootstrap.mjs'))
  writeFileSync(join(folder, 'npm-cli.js'), 'process.exit(1)')
  const here = { 'node_modules/here': { version: '1.0.0' } }
  const lock = (all: Record<string, object>) => JSON.stringify({ lockfileVersion: 3, packages: all })
  writeFileSync(join(folder, 'package-lock.json'), lock({ '': {}, ...here, ...packages }))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), lock(here))
  const env = { ...process.env, npm_execpath: join(folder, 'npm-cli.js') }
  const { stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/bootstrap.mjs'), 'serve'], {
    env,
    encoding: 'utf8',
  })
  return stdout + stderr
}

const CASES: { what: string; packages: Record<string, object>; isMissed: boolean }[] = [
  { what: 'nothing is missing', packages: {}, isMissed: false },
  { what: 'a package that all need', packages: { 'node_modules/a': { version: '1.0.0' } }, isMissed: true },
  {
    what: 'one for another system',
    packages: { 'node_modules/a': { ...BINDING, os: ['plan9'] } },
    isMissed: false,
  },
  { what: 'one for this machine', packages: { 'node_modules/a': BINDING }, isMissed: true },
  {
    what: 'one for the libc of this machine',
    packages: { 'node_modules/a': { ...BINDING, libc: [LIBC] } },
    isMissed: true,
  },
  {
    what: 'one for another libc',
    packages: { 'node_modules/a': { ...BINDING, libc: [OTHER_LIBC] } },
    isMissed: false,
  },
]

for (const { what, packages, isMissed } of CASES)
  test(`${what} is ${isMissed ? 'installed' : 'not asked for'}`, () => {
    const words = said(packages)
    if (isMissed) assert.match(words, /Installing the dependencies[\s\S]*could not be installed/)
    else assert.match(words, /^There is nothing built yet/)
  })
