// Keeps the changes of an office that runs with the database that it brings, a little more often than they may be lost. Of several instances
// whoever is first does it; what keeps it from that is told, and tried again.
import pg from 'pg'
import type { Services } from '#server/ctx.ts'
import { startLoop } from '#server/loop.ts'
import { addChanges, alone, vaultOf } from './backup.ts'

const EVERY_MS = 45_000
const STATEMENT_WITHIN_MS = 60_000

/** `noted` hears up to when everything is kept. */
export function followChanges(
  ownerUrl: string,
  { env, storage, clock, onProblem }: Pick<Services, 'env' | 'storage' | 'clock' | 'onProblem'>,
  noted: (owner: pg.Client, upTo: string) => Promise<void>,
): { stop(): Promise<void> } {
  const vault = vaultOf(env)
  async function follow(): Promise<boolean> {
    const owner = new pg.Client({
      connectionString: ownerUrl,
      connectionTimeoutMillis: 5_000,
      query_timeout: STATEMENT_WITHIN_MS,
    })
    owner.on('error', onProblem)
    await owner.connect()
    try {
      await alone(owner, async () => {
        const kept = await addChanges({ owner, vault, storage, env, now: () => clock.now() })
        if (kept) await noted(owner, kept.upTo)
      })
    } finally {
      await owner.end()
    }
    return false
  }
  const loop = startLoop({ everyMs: EVERY_MS }, follow, onProblem)
  return {
    async stop() {
      await loop.stop()
      vault.close()
    },
  }
}
