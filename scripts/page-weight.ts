// What a browser loads before a page of the built ones is drawn, and the most that may be: it grows by a line at a time, unseen.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pageAt } from '#app/route-pages.ts'

const LIST = '/admin/merchant/myMerchant'

const ENTRIES = ['index.html', 'app/web-boot.ts']

/** The sources that a page imports on its way, and the most of code and styles: KiB as gzip makes them, and files. */
export const BUDGETS = {
  login: { sources: ['app/login.tsx'], mostKib: 24, mostFiles: 6 },
  list: { sources: ['app/signed-in.tsx', pageAt(LIST)?.file ?? ''], mostKib: 199, mostFiles: 15 },
} as const

type Chunk = { file: string; imports?: string[]; css?: string[] }
type Manifest = Record<string, Chunk>

/** Files that these sources import at once, with what every page has, the heaviest first. */
export function filesOf(dir: string, sources: readonly string[]): { file: string; bytes: number }[] {
  const manifest = JSON.parse(readFileSync(join(dir, '.vite/manifest.json'), 'utf8')) as Manifest
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
  for (const key of [...ENTRIES, ...sources]) add(key)
  return [...files]
    .map(file => ({ file, bytes: gzipSync(readFileSync(join(dir, file)), { level: 9 }).length }))
    .sort((a, b) => b.bytes - a.bytes)
}

/** Of code and styles. */
export function kibOf(files: readonly { file: string; bytes: number }[]): number {
  return (
    files.filter(({ file }) => /\.(js|css)$/.test(file)).reduce((sum, { bytes }) => sum + bytes, 0) / 1_024
  )
}
