// npm run build: the page (dist/web), the migrations (dist/migrations), the server in one file (dist/server.js) and beside it
// what it runs in a thread of its own.
import { cpSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildPageIfNeeded } from './build-page.ts'
import { COMPACT, ON_DISK } from './bundle.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function bundle(entry: string, file: string): Promise<void> {
  const bundled = await rolldown({
    input: join(root, entry),
    platform: 'node',
    external: ON_DISK,
    checks: { pluginTimings: false },
    onLog(level, log, tell) {
      // Libraries of others warn about their own circles and directives; ours are checked by npm run verify.
      if (level === 'warn' && log.id?.includes('node_modules')) return
      tell(level, log)
    },
  })
  await bundled.write({ file: join(dist, file), format: 'esm', codeSplitting: false, minify: COMPACT })
  await bundled.close()
}

await buildPageIfNeeded(root, say)
rmSync(join(dist, 'migrations'), { recursive: true, force: true })
cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true })
await bundle('scripts/serve.ts', 'server.js')
await bundle('server/documents/pdf-drawing.ts', 'pdf-drawing.js')
await bundle('server/print/scenes-drawing.ts', 'scenes-drawing.js')
const megabytes = statSync(join(dist, 'server.js')).size / 1_048_576
say(`Built dist/server.js (${megabytes.toFixed(1)} MB); run it with npm run serve`)
