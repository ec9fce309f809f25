// What the platform told, for whoever acts on it: the oldest first, each once.
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { PlatformEvent } from '#kit/ports/mini-programs.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { readAsSystem } from '#server/system.ts'
import { platformEvents as events } from './tables.ts'

type Kind = PlatformEvent['kind']
export type UntakenEvent<K extends Kind> = { eventId: string; event: Extract<PlatformEvent, { kind: K }> }

/** Those of these kinds that nobody has acted on, at most `most`. */
export async function untakenEvents<K extends Kind>(
  services: Services,
  kinds: readonly K[],
  most: number,
): Promise<UntakenEvent<K>[]> {
  const rows = await readAsSystem(services, ({ db }) =>
    db
      .select({ eventId: events.eventId, sealed: events.sealed })
      .from(events)
      .where(and(inArray(events.kind, [...kinds]), isNull(events.takenAt)))
      .orderBy(asc(events.receivedAt))
      .limit(most),
  )
  return rows.map(({ eventId, sealed }) => ({
    eventId,
    event: JSON.parse(services.secrets.decrypt(sealed)) as Extract<PlatformEvent, { kind: K }>,
  }))
}

/** In the transaction that acts on it; false: somebody else has, or does. */
export async function takeEvent({ db }: Ctx, eventId: string): Promise<boolean> {
  const taken = await db
    .update(events)
    .set({ takenAt: sql`now()` })
    .where(and(eq(events.eventId, eventId), isNull(events.takenAt)))
    .returning({ eventId: events.eventId })
  return taken.length === 1
}
