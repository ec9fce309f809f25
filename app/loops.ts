// Work that waits in the database, looked for by one process of every instance: payments to settle, messages to send, notices to deliver.
import type { Services } from '#server/ctx.ts'
import type { AsOwner, FeatureLoop } from '#server/feature.ts'
import { type Loop, startLoop } from '#server/loop.ts'
import { LOOPS } from './joined.ts'

export type Loops = {
  /** Resolves when each has looked once. */
  looked: Promise<void>
  wake(name: string): void
  stop(): Promise<void>
}

/** `isFirst`: of the processes of an office, which has what is done once. */
export function startLoops(services: Services, asOwner: AsOwner, isFirst = true): Loops {
  const own = Object.entries<FeatureLoop>(LOOPS).filter(([, { ofEach }]) => isFirst || ofEach)
  const loops = new Map<string, Loop>(
    own.map(([name, loop], place, all) => {
      const { everyMs, afterMs } = loop
      const work = () => ('work' in loop ? loop.work(services) : loop.workAsOwner(services, asOwner))
      return [name, startLoop({ everyMs, afterMs, phase: place / all.length }, work, services.onProblem)]
    }),
  )
  const looked = lookAtFirst([...loops.values()])
  return {
    looked,
    wake: name => loops.get(name)?.wake(),
    async stop() {
      await Promise.all(
        own.map(async ([name, { finish }]) => {
          await loops.get(name)?.stop()
          await finish?.(services)
        }),
      )
      await looked
    },
  }
}

/** One after the other in two rows: all at once would open a connection each, and each would make all its plans from nothing. */
async function lookAtFirst(loops: Loop[]): Promise<void> {
  const row = loops.values()
  const lookOn = async () => {
    for (const loop of row) await loop.look()
  }
  await Promise.all([lookOn(), lookOn()])
}
