// What tests of changes share: numbers for what waits, and the feed as an account reads it.
import { readChanges, sequenceChanges } from '#features/shops/pos-changes/server.ts'
import { acting } from '../acting.ts'
import type { Office } from '../app.ts'

export function feedOf(opened: () => Office) {
  const read = (after: number | undefined, as: string, size = 1_000) =>
    acting(opened(), as, ctx => readChanges(ctx, { after, size }))
  const sequence = async () => {
    while (await sequenceChanges(opened().app.services));
  }
  const lastOf = async (as: string) => (await read(undefined, as)).last
  return {
    read,
    sequence,
    lastOf,
    /** What is told of the work, without its moments and numbers. */
    async told(work: () => Promise<unknown>, as: string) {
      await sequence()
      const before = await lastOf(as)
      await work()
      await sequence()
      const { changes } = await read(before, as)
      return changes.map(({ topic, shopId, data }) => ({ topic, shopId, data }))
    },
  }
}
