// node bench/weight.ts: what a browser loads before the login page and before the first row of the merchant list, gzipped.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { pageAt } from '#app/route-pages.ts'
import { buildPageIfNeeded } from '../scripts/build-page.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const KIB = 1_024
const ENTRIES = ['index.html', 'app/web-boot.ts']
const LIST = '/admin/merchant/myMerchant'

type Chunk = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

/** The page, the sources that it imports on its way, what counts, and the most that may be, in KiB. */
const BUDGETS = [
  { page: 'login', sources: ['app/login.tsx'], kinds: /\.js$/, counts: 'JavaScript', mostKib: 180 },
  {
    page: 'merchant list',
    sources: ['app/signed-in.tsx', pageAt(LIST)?.file ?? ''],
    kinds: /\.(js|css|html)$/,
    counts: 'everything',
    mostKib: 300,
  },
]

/** Files of these chunks with everything they import at once. */
function filesOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const files = new Set<string>(['index.html'])
  const seen = new Set<string>()
  const add = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The built page has no ${key}.`)
    files.add(chunk.file)
    for (const css of chunk.css ?? []) files.add(css)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  for (const key of keys) add(key)
  return files
}

function gzippedBytes(file: string): number {
  return gzipSync(readFileSync(file), { level: 9 }).length
}

async function main(): Promise<void> {
  const dir = await buildPageIfNeeded(ROOT, line => process.stdout.write(`${line}\n`), { smallest: true })
  const manifest = JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8')) as Manifest
  const results = BUDGETS.map(({ page, sources, kinds, counts, mostKib }) => {
    const files = [...filesOf(manifest, [...ENTRIES, ...sources])]
      .filter(file => kinds.test(file))
      .map(file => ({ file, bytes: gzippedBytes(join(dir, file)) }))
      .sort((a, b) => b.bytes - a.bytes)
    const kib = files.reduce((sum, { bytes }) => sum + bytes, 0) / KIB
    process.stdout.write(`${page}: ${kib.toFixed(1)} KiB of ${mostKib} (${counts}, gzipped)\n`)
    for (const { file, bytes } of files)
      process.stdout.write(`  ${(bytes / KIB).toFixed(1).padStart(7)} ${file}\n`)
    return { page, kib, mostKib, files }
  })
  process.stdout.write(`${JSON.stringify(results)}\n`)
  if (results.some(({ kib, mostKib }) => kib > mostKib)) process.exitCode = 1
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
