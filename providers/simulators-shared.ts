// The simulators of one data folder, whoever runs them: instances that share it share them too, since a code that one made
// must be known to the other. They listen where they did before; who finds them taken uses them, and runs them once they end.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  keepFirst,
  keysOf,
  ownValuesOf,
  payUrlsAt,
  phoneUrlAt,
  SIMULATED,
  type SimulatorPorts,
  type Simulators,
  type SimulatorsOptions,
  secretOf,
  settingsAt,
  startSimulators,
} from './simulators.ts'

const LOOK_EVERY_MS = 500
const ANSWER_WITHIN_MS = 2_000
const LOOKS = 4

/** `answerWithinMs`: how long others' simulators may take to answer; 2 s where nothing is said. */
type SharedOptions = Omit<SimulatorsOptions, 'keysFile' | 'ports'> & {
  keysFile: string
  answerWithinMs?: number
}

export type SharedSimulators = Pick<
  Simulators,
  'settings' | 'own' | 'payUrls' | 'phoneUrl' | 'setReceiptsUrl' | 'setProgramEventsUrl' | 'stop'
> & {
  /** The same for all instances, also after a restart. */
  receiptSecret: string
}
type ReceiptsUrl = Parameters<Simulators['setReceiptsUrl']>[0]

export async function shareSimulators({
  answerWithinMs = ANSWER_WITHIN_MS,
  ...options
}: SharedOptions): Promise<SharedSimulators> {
  const keys = keysOf(options.keysFile)
  const file = join(dirname(options.keysFile), 'simulator-ports.json')
  let receiptsUrl: ReceiptsUrl | null = null
  let programEventsUrl: string | null = null
  let stopped = false
  let own: Simulators | null = null

  async function startAt(ports: SimulatorPorts): Promise<Simulators | null> {
    try {
      return await startSimulators({ ...options, ports })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return null
      throw error
    }
  }

  async function find(): Promise<SimulatorPorts> {
    for (;;) {
      const kept = readPorts(file)
      if (kept) {
        own = await startAt(kept)
        if (own || (await isAnswered(kept, secretOf(keys, 'identity'), answerWithinMs))) return kept
        rmSync(file, { force: true })
      }
      const fresh = await startSimulators(options)
      if (keepFirst(file, fresh.ports)) {
        own = fresh
        return fresh.ports
      }
      await fresh.stop()
    }
  }

  async function takeOver(): Promise<void> {
    while (!own && !stopped) {
      await pause(LOOK_EVERY_MS, undefined, { ref: false })
      const started = stopped ? null : await startAt(ports)
      if (started && stopped) await started.stop()
      else own = started
    }
    if (receiptsUrl) own?.setReceiptsUrl(receiptsUrl)
    if (programEventsUrl) own?.setProgramEventsUrl(programEventsUrl)
  }

  const ports = await find()
  takeOver().catch((error: Error) => process.stderr.write(`simulators: ${error.stack}\n`))

  return {
    settings: settingsAt(keys, ports),
    own: ownValuesOf(keys),
    payUrls: payUrlsAt(ports),
    phoneUrl: phoneUrlAt(ports),
    receiptSecret: secretOf(keys, 'receipts'),
    setReceiptsUrl(of) {
      receiptsUrl = of
      own?.setReceiptsUrl(of)
    },
    setProgramEventsUrl(url) {
      programEventsUrl = url
      own?.setProgramEventsUrl(url)
    },
    async stop() {
      stopped = true
      await own?.stop()
    },
  }
}

/** A file that knows fewer simulators is of an older program, and is forgotten. */
function readPorts(file: string): SimulatorPorts | null {
  if (!existsSync(file)) return null
  const ports = JSON.parse(readFileSync(file, 'utf8')) as Partial<SimulatorPorts>
  if (SIMULATED.every(name => ports[name])) return ports as SimulatorPorts
  rmSync(file, { force: true })
  return null
}

/** Whether simulators with our keys are there, or come in a moment, and not somebody else who has the port now. */
async function isAnswered(ports: SimulatorPorts, identity: string, withinMs: number): Promise<boolean> {
  for (let looks = 0; looks < LOOKS; looks++) {
    const found = await identityAt(ports, withinMs)
    if (found !== null) return found === identity
    await pause(LOOK_EVERY_MS)
  }
  return false
}

/** Null: nobody is there yet. Empty: somebody else. */
async function identityAt(ports: SimulatorPorts, withinMs: number): Promise<string | null> {
  try {
    const answer = await fetch(new URL('identity', phoneUrlAt(ports)), {
      signal: AbortSignal.timeout(withinMs),
    })
    return answer.ok ? ((await answer.json()) as { identity: string }).identity : ''
  } catch (error) {
    return error instanceof SyntaxError ? '' : null
  }
}
