// Has the page built, and remembers from which sources, so that a start builds only after a change.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hashSources } from './built-from.ts'

const SOURCES = [
  'app',
  'bridge',
  'features',
  'kit',
  'web',
  'index.html',
  'vite.config.ts',
  'scripts/installable.ts',
  'scripts/page-chunks.ts',
  'package-lock.json',
]

export const SMALLEST = 'smallest'

/**
 * The folder of the built page; builds first when a source changed since. `smallest` for those who load it over a network: a tenth less to
 * send for more than half of the work.
 */
export async function buildPageIfNeeded(
  root: string,
  say: (line: string) => void,
  { smallest = false } = {},
): Promise<string> {
  const dir = join(root, 'dist/web')
  const stamp = join(dir, '.sources')
  const sources = hashSources(root, SOURCES)
  const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  const compressed = `${sources} ${SMALLEST}`
  if (built === compressed || (built === sources && !smallest)) return dir
  say('Building the page')
  await buildPage(smallest)
  writeFileSync(stamp, smallest ? compressed : sources)
  return dir
}

/** In a process of its own, since a bundler's memory would stay with whoever serves afterwards. */
async function buildPage(smallest: boolean): Promise<void> {
  const builder = fileURLToPath(new URL('./build-page-child.ts', import.meta.url))
  const args = ['--disable-warning=ExperimentalWarning', builder, ...(smallest ? [SMALLEST] : [])]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error('The page could not be built; see above.')
}
