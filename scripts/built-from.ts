// From which sources something was built, so that a start builds only after a change.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the files below these names hold, in one word. */
export function hashSources(root: string, sources: readonly string[]): string {
  const hash = createHash('sha256')
  const add = (path: string) => {
    const full = join(root, path)
    if (statSync(full).isDirectory()) for (const name of readdirSync(full).sort()) add(join(path, name))
    else hash.update(path).update(readFileSync(full))
  }
  for (const source of sources) if (existsSync(join(root, source))) add(source)
  return hash.digest('hex')
}
