// Work that waits in the database, looked for by every instance: payments to settle, messages to send, notices to deliver.
import type { Services } from '#server/ctx.ts'
import { type Loop, startLoop } from '#server/loop.ts'
import { LOOPS } from './joined.ts'

export type Loops = {
  wake(name: string): void
  stop(): Promise<void>
}

export function startLoops(services: Services): Loops {
  const loops = new Map<string, Loop>(
    Object.entries(LOOPS).map(([name, { work, finish: _, ...pace }]) => [
      name,
      startLoop(pace, () => work(services), services.onProblem),
    ]),
  )
  return {
    wake: name => loops.get(name)?.wake(),
    async stop() {
      await Promise.all(
        Object.entries(LOOPS).map(async ([name, { finish }]) => {
          await loops.get(name)?.stop()
          await finish?.(services)
        }),
      )
    },
  }
}
