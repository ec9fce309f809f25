// Builds the page with Vite, compresses its files, and remembers from which sources, so that a start builds only after a change.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'

const SOURCES = ['app', 'features', 'kit', 'web', 'index.html', 'vite.config.ts', 'package-lock.json']
const COMPRESSED = /\.(js|css|svg|json)$/

/** The folder of the built page; builds first when a source changed since. */
export async function buildPageIfNeeded(root: string, say: (line: string) => void): Promise<string> {
  const dir = join(root, 'dist/web')
  const stamp = join(dir, '.sources')
  const sources = hashSources(root)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return dir
  say('Building the page')
  await buildPage(root, dir)
  writeFileSync(stamp, sources)
  return dir
}

async function buildPage(root: string, dir: string): Promise<void> {
  await build({ root, logLevel: 'warn' })
  const assets = join(dir, 'assets')
  await Promise.all(
    readdirSync(assets)
      .filter(name => COMPRESSED.test(name))
      .map(name => compress(join(assets, name))),
  )
}

async function compress(file: string): Promise<void> {
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, quality))
}

function hashSources(root: string): string {
  const hash = createHash('sha256')
  const add = (path: string) => {
    const full = join(root, path)
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) add(join(path, name))
    else hash.update(path).update(readFileSync(full))
  }
  for (const source of SOURCES) if (existsSync(join(root, source))) add(source)
  return hash.digest('hex')
}
