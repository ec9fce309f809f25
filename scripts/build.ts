// npm run build: the page (dist/web), the migrations (dist/migrations), the server in one file (dist/server.js) and beside it
// what it runs in a thread of its own, and the list of its parts (dist/sbom.cdx.json).
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPageIfNeeded } from './build-page.ts'
import { bundleFile } from './bundle-file.ts'
import { writeSbom } from './sbom.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await buildPageIfNeeded(root, say, { smallest: true })
rmSync(join(dist, 'migrations'), { recursive: true, force: true })
cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true })
const bytes = await bundleFile(root, 'scripts/serve.ts', 'dist/server.js')
await bundleFile(root, 'server/documents/pdf-drawing.ts', 'dist/pdf-drawing.js')
await bundleFile(root, 'server/print/scenes-drawing.ts', 'dist/scenes-drawing.js')
writeSbom(root, join(dist, 'sbom.cdx.json'))
say(`Built dist/server.js (${(bytes / 1_048_576).toFixed(1)} MB); run it with npm run serve`)
