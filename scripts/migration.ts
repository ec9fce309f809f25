// npm run migration -- --name add_orders: writes the next migration from the tables. `--custom` makes an empty one for SQL by hand.
import { spawnSync } from 'node:child_process'
import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { drizzleKit } from './drizzle-kit.ts'

const { command, args, env, cwd } = drizzleKit(['generate', ...process.argv.slice(2)])
const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' })
if (status === 0) {
  // The next migration is made by comparing with the newest snapshot alone; each is a copy of every table.
  const outdated = globSync('migrations/meta/*_snapshot.json', { cwd }).sort().slice(0, -1)
  for (const path of outdated) rmSync(join(cwd, path))
}
process.exitCode = status ?? 1
