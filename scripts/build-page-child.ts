// Builds the page (dist/web) with Vite and compresses its files; beside it the print program of a desk in one file.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import { SMALLEST } from './build-page.ts'
import { bundleFile } from './bundle-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const COMPRESSED = /\.(js|css|svg|json|wasm)$/
const QUALITY = process.argv.includes(SMALLEST) ? constants.BROTLI_MAX_QUALITY : 5

async function compress(file: string): Promise<void> {
  const content = readFileSync(file)
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
  const quality = {
    params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  }
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, quality))
}

await build({ root, logLevel: 'warn' })
const assets = join(root, 'dist/web/assets')
await Promise.all(
  readdirSync(assets)
    .filter(name => COMPRESSED.test(name))
    .map(name => compress(join(assets, name))),
)
await bundleFile(root, 'bridge/main.ts', 'dist/web/bridge.mjs')
