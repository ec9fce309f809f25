// npm run log:search -- 张三 改价 [--agent 12] [--from 2026-01] [--to 2026-06] [--archive FOLDER]: rows of archived months of the operation log
// that hold all of these words, one JSON line each. Exits 1 where an archive cannot be read.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { searchArchives } from '#features/overview/operation-log/server-archive-verify.ts'
import { makeSecrets } from '#server/secrets.ts'
import { openStorage } from '#server/storage/open-storage.ts'
import { ownerDatabase } from './owner-database.ts'
import { secretKeyOf } from './secret-key.ts'

const { values, positionals: words } = parseArgs({
  options: {
    agent: { type: 'string' },
    from: { type: 'string', default: '0000-01' },
    to: { type: 'string', default: '9999-12' },
    archive: { type: 'string' },
  },
  allowPositionals: true,
})

async function search(): Promise<void> {
  const { url, env, close } = await ownerDatabase({ mustExist: true })
  const storage = openStorage(env)
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { agent, from, to, archive } = values
    const secrets = makeSecrets(secretKeyOf(env), env.fieldKeys)
    const found = searchArchives(
      client,
      { storage, env, secrets, folder: archive ?? null },
      { words, agentId: agent === undefined ? null : Number(agent), from, to },
    )
    for await (const line of found) process.stdout.write(`${line}\n`)
  } finally {
    await client.end()
    storage.close()
    await close()
  }
}

try {
  await search()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
