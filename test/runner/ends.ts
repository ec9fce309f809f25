// What ends a run before its time: a signal, or that nobody reads what it says.
import type { EventEmitter } from 'node:events'

/** As a shell names one that was interrupted. */
const INTERRUPTED = 130

type Told = Pick<EventEmitter, 'on'>

/** `stop` ends what was started; the process ends behind it, whether that could be done or not. */
export function endWith(
  stop: () => Promise<void>,
  { signals, outputs, exit }: { signals: Told; outputs: readonly Told[]; exit: (status: number) => void },
): void {
  const end = () => void stop().finally(() => exit(INTERRUPTED))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) signals.on(signal, end)
  // Read by `head`, say, which has gone: without a listener the process would die on the spot and leave all that it started.
  for (const output of outputs) output.on('error', end)
}
