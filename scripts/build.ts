// npm run build: the page (dist/web), the server (dist/server), the migrations (dist/migrations), and the list of the parts of all
// (dist/sbom.cdx.json).
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPageIfNeeded } from './build-page.ts'
import { buildServerIfNeeded } from './build-server.ts'
import { writeSbom } from './sbom.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await buildPageIfNeeded(root, say, { smallest: true })
await buildServerIfNeeded(root, say)
writeSbom(root, join(root, 'dist/sbom.cdx.json'))
say('Built dist; run it with npm run serve')
