// Where the platform's tickets and tokens lie: a row a key, encrypted, in short transactions of their own.
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { CredentialStore } from '#kit/ports/mini-programs.ts'
import type { Services } from '#server/ctx.ts'
import { actAsSystem, readAsSystem } from '#server/system.ts'
import { platformCredentials as rows } from './tables.ts'

const WHAT = 'platform credentials'

export function credentialStoreOf(services: Services): CredentialStore {
  const { secrets } = services
  return {
    read: key =>
      readAsSystem(services, async ({ db }) => {
        const [row] = await db
          .select({ sealed: rows.sealed, version: rows.version })
          .from(rows)
          .where(and(eq(rows.key, key), isNotNull(rows.sealed)))
        return row?.sealed ? { text: secrets.decrypt(row.sealed), version: row.version } : null
      }),
    write: (key, text, version) =>
      actAsSystem(services, WHAT, async ({ db }) => {
        const written = { sealed: secrets.encrypt(text), changedAt: sql`now()` }
        const [row] = await db
          .insert(rows)
          .values({ key, version: 1, ...written })
          .onConflictDoUpdate({
            target: rows.key,
            set: { ...written, version: sql`${rows.version} + 1` },
            setWhere:
              version === 0
                ? sql`${rows.sealed} is null`
                : sql`${rows.sealed} is not null and ${rows.version} = ${version}`,
          })
          .returning({ version: rows.version })
        if (!row) return false
        // Nothing was there to be changed: what was read is gone.
        if (version !== 0 && row.version === 1) throw new Error(`the credentials ${key} have lost their row`)
        return true
      }),
    remove: key =>
      actAsSystem(services, WHAT, async ({ db }) => {
        await db
          .update(rows)
          .set({ sealed: null, version: sql`${rows.version} + 1`, changedAt: sql`now()` })
          .where(eq(rows.key, key))
      }),
    claim: (key, holder, forMs) =>
      actAsSystem(services, WHAT, async ({ db }) => {
        const claimedUntil = sql`now() + make_interval(secs => ${forMs / 1_000})`
        const taken = await db
          .insert(rows)
          .values({ key, holder, claimedUntil, changedAt: sql`now()` })
          .onConflictDoUpdate({
            target: rows.key,
            set: { holder, claimedUntil },
            setWhere: sql`${rows.claimedUntil} is null or ${rows.claimedUntil} <= now()`,
          })
          .returning({ key: rows.key })
        return taken.length === 1
      }),
    release: (key, holder) =>
      actAsSystem(services, WHAT, async ({ db }) => {
        await db
          .update(rows)
          .set({ holder: null, claimedUntil: null })
          .where(and(eq(rows.key, key), eq(rows.holder, holder)))
      }),
  }
}
