// The point-of-sale server of the demo: its key and its webhooks are made once, and it listens where it did before.
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDemoPosKey } from '#features/agencies/api-keys/demo.ts'
import { openDemoPosEndpoint } from '#features/agencies/webhooks/demo.ts'
import { type Pos, startPos } from '#providers/pos/program.ts'
import type { Services } from '#server/ctx.ts'

type Tables = NonNullable<Parameters<typeof startPos>[0]['tables']>
type Kept = { token: string; secret: string; port: number }

/** Null: another instance of this data folder runs it. */
export async function startDemoPos(services: Services, officeUrl: string): Promise<Pos | null> {
  const folder = join(services.env.dataDir, 'demo-pos')
  const file = join(folder, 'access.json')
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : fresh()
  await openDemoPosKey(services, kept.token)
  const { pos: service } = services.providers
  const tables: Tables = async shopId => (await service?.tables(shopId)) ?? []
  const pos = await startAt(kept, officeUrl, { file: join(folder, 'shops.json'), tables })
  if (!pos) return null
  mkdirSync(folder, { recursive: true })
  // Others may not read what stands there: the file is made anew with its own rights.
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify({ ...kept, port: Number(new URL(pos.url).port) }), { mode: 0o600 })
  if (services.env.webhooksToLoopback)
    await openDemoPosEndpoint(services, { url: pos.hooks, secret: kept.secret })
  return pos
}

async function startAt(
  { token, secret, port }: Kept,
  office: string,
  beside: { file: string; tables: Tables },
): Promise<Pos | null> {
  try {
    return await startPos({ office, key: token, secrets: [secret], port, ...beside })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
    throw error
  }
}

function fresh(): Kept {
  return {
    token: `pok_${randomBytes(32).toString('base64url')}`,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    port: 0,
  }
}
