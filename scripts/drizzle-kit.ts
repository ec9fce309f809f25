// How drizzle-kit is called: by this very Node, which its children must find first too, since they load our tables.
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

export function drizzleKit(args: string[]) {
  return {
    command: process.execPath,
    args: [join(ROOT, 'node_modules/drizzle-kit/bin.cjs'), ...args],
    env: { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` },
    cwd: ROOT,
  }
}
