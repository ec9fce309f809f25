// npm run migration -- --name add_orders: writes the next migration from the tables. `--custom` makes an empty one for SQL by hand.
import { spawnSync } from 'node:child_process'
import { drizzleKit } from './drizzle-kit.ts'

const { command, args, env, cwd } = drizzleKit(['generate', ...process.argv.slice(2)])
const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' })
process.exitCode = status ?? 1
