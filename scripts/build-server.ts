// Builds the server with its packages (dist/server) and copies the migrations beside it (dist/migrations).
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputOptions, RolldownBuild } from 'rolldown'
import { hashSources } from './built-from.ts'
import { ASCII, COMPACT, HTTP, ON_DISK } from './bundle.ts'

const SOURCES = [
  'app',
  'compat',
  'features',
  'kit',
  'migrations',
  'providers',
  'scripts',
  'server',
  'package-lock.json',
]
/** What runs in a thread of its own is found by its name. */
const ENTRIES = {
  server: 'scripts/serve.ts',
  'pdf-drawing': 'server/documents/pdf-drawing.ts',
  'scenes-drawing': 'server/print/scenes-drawing.ts',
}
const DAY_MS = 86_400_000
/** A program of an earlier build that still runs loads its parts when they are first asked for. */
const KEPT_MS = 7 * DAY_MS

/** Builds when a source changed since. */
export async function buildServerIfNeeded(root: string, say: (line: string) => void): Promise<void> {
  const stamp = join(root, 'dist/server/.sources')
  const sources = hashSources(root, SOURCES)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return
  say('Building the server')
  await buildServer(root)
  writeFileSync(stamp, sources)
}

/** The server in parts, not yet written, and how they are written. */
export async function bundledServer(
  root: string,
): Promise<{ bundled: RolldownBuild; options: OutputOptions }> {
  const { rolldown } = await import('rolldown')
  const bundled = await rolldown({
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(root, path)])),
    cwd: root,
    platform: 'node',
    external: ON_DISK,
    plugins: [ASCII, HTTP],
    checks: { pluginTimings: false },
    onLog(level, log, tell) {
      // Libraries of others warn about their own circles and directives; ours are checked by npm run verify.
      if (level === 'warn' && log.id?.includes('node_modules')) return
      tell(level, log)
    },
  })
  const options: OutputOptions = {
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: COMPACT,
  }
  return { bundled, options }
}

async function buildServer(root: string): Promise<void> {
  const dist = join(root, 'dist')
  const dir = join(dist, 'server')
  rmSync(join(dist, 'migrations'), { recursive: true, force: true })
  cpSync(join(root, 'migrations'), join(dist, 'migrations'), { recursive: true })
  const { bundled, options } = await bundledServer(root)
  const { output } = await bundled.write({ ...options, dir })
  await bundled.close()
  rmSync(join(dir, 'compiled'), { recursive: true, force: true })
  const made = new Set(output.map(({ fileName }) => fileName))
  for (const name of readdirSync(dir)) {
    const file = join(dir, name)
    if (!made.has(name) && statSync(file).mtimeMs < Date.now() - KEPT_MS) rmSync(file, { force: true })
  }
}
