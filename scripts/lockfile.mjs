// Completes package-lock.json with the optional packages of other platforms that a registry did not serve when it was written;
// without them `npm ci` refuses the file. They carry version and platform but no hash. `--check` only says what is missing.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const SYSTEMS = {
  darwin: 'darwin',
  linux: 'linux',
  win32: 'win32',
  windows: 'win32',
  freebsd: 'freebsd',
  android: 'android',
  openharmony: 'openharmony',
  netbsd: 'netbsd',
  openbsd: 'openbsd',
  sunos: 'sunos',
  aix: 'aix',
}
const CPUS = ['arm64', 'x64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'loong64', 'mips64el']

/** Whether the lockfile knows `name` for the package at `path`: beside it, or in a folder above. */
function isKnown(packages, path, name) {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/node_modules/'))) {
    if (packages[`${at === '' ? '' : `${at}/`}node_modules/${name}`]) return true
    if (!at.includes('/node_modules/')) return packages[`node_modules/${name}`] !== undefined
  }
}

function entryFor(name, range, isDev) {
  const words = name.split(/[-/@_]+/)
  const os = words.map(word => SYSTEMS[word]).find(Boolean)
  const cpu = words.find(word => CPUS.includes(word)) ?? (words.includes('gnueabihf') ? 'arm' : undefined)
  const libc = words.some(word => word.startsWith('musl'))
    ? 'musl'
    : words.some(word => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    version: range.replace(/^[~^]/, ''),
    ...(cpu ? { cpu: [cpu] } : {}),
    ...(isDev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  }
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'))
const missing = {}
for (const [path, entry] of Object.entries(lock.packages))
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {}))
    if (!isKnown(lock.packages, path, name))
      missing[`node_modules/${name}`] = entryFor(name, range, entry.dev === true)

const names = Object.keys(missing)
if (process.argv.includes('--check')) {
  if (names.length > 0)
    process.stdout.write(`package-lock.json lacks ${names.join(', ')}: run node scripts/lockfile.mjs\n`)
  process.exitCode = names.length > 0 ? 1 : 0
} else if (names.length > 0) {
  const { '': root, ...rest } = { ...lock.packages, ...missing }
  const sorted = Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: { '': root, ...sorted } }, null, 2)}\n`)
  process.stdout.write(`added ${names.length} entries\n`)
}
