// npm start, before the built server runs (scripts/serve.ts): builds page and server where a source changed.
import { fileURLToPath } from 'node:url'
import { buildPageIfNeeded } from './build-page.ts'
import { buildServerIfNeeded } from './build-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

await buildPageIfNeeded(root, say)
await buildServerIfNeeded(root, say)
