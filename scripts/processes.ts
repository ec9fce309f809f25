// An office of several processes behind one listener: this one takes each connection and hands it to the process that has the fewest, starts
// those, and starts anew what ends. What an office does once, the first of them does.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { OFFICE_PROCESS } from '#server/children.ts'
import { readEnv } from '#server/env.ts'
import { messageForTerminal } from '#server/log.ts'
import { ALIVE_EVERY_MS, type FromProcess, type ToProcess } from '#server/process-link.ts'
import { givenSocket, tellServiceManager } from './service-manager.ts'

/** One that ends before it serves is started again no sooner. */
const AGAIN_AFTER_MS = 1_000
/** One that was not heard of so often stands still, and is ended. */
const SILENCES_MOST = 12
const WAITING_MOST = 10_000
const TAKEN_WITHIN_MS = 1_000
const TAKEN_LOOK_MS = 10
/** What one said before it ended is heard by then. */
const LAST_WORDS_MS = 50
const STOP_WITHIN_MS = 12_000
const FIGURES_WITHIN_MS = 2_000

/** Takes connections and reads nothing of them; on a socket that is listened on already, where one was given. */
export async function listenFor(where: { port: number; host: string } | { fd: number }): Promise<Server> {
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true }).listen(where)
  await once(server, 'listening')
  return server
}

export type ProcessesOptions = {
  count: number
  /** Hands over what it takes: see `listenFor`. */
  server: Server
  /** What is run for the process of each number. */
  command(nth: number): { program: string; args: readonly string[] }
  env: NodeJS.ProcessEnv
  onProblem(error: Error): void
  againAfterMs?: number
}

export type Processes = {
  /** Of those that live, by their number. */
  pids(): readonly (number | null)[]
  /** Ends all, and resolves when they have ended: whether each did so well. */
  stop(): Promise<boolean>
}

/** `open`: how many connections it has, as far as it has told. `handed`: those that it has not taken yet. */
type Place = {
  child: ChildProcess
  isReady: boolean
  silences: number
  open: number
  handed: Map<number, Socket>
}
type First = { ready(): void; failed(error: Error): void }
type Asked = { told: string[]; left: number; done(): void }

/** Resolves once all serve. Rejects where one ends before it ever served. The first brings the database to its schema. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const { count, server, command, env, onProblem } = options
  const places: (Place | null)[] = Array.from({ length: count }, () => null)
  const asked = new Map<string, Asked>()
  /** Taken while no process was there. */
  const waiting: Socket[] = []
  let handedOver = 0
  let ending: { left: number; isWell: boolean; ended(): void } | null = null

  const tell = ({ child }: Place, message: ToProcess) => {
    if (child.connected) child.send(message, error => error && onProblem(error))
  }

  /** `first`: of its first start, without which there is no office. */
  function start(at: number, first?: First): void {
    const { program, args } = command(at + 1)
    const child = spawn(program, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    const place: Place = { child, isReady: false, silences: 0, open: 0, handed: new Map() }
    places[at] = place
    child.on('error', onProblem)
    child.on('message', message => {
      place.silences = 0
      hear(place, message as FromProcess, first)
    })
    child.once('exit', (status, signal) => {
      places[at] = null
      setTimeout(handOn, LAST_WORDS_MS, place)
      if (ending) {
        if (status !== 0) ending.isWell = false
        if (--ending.left === 0) ending.ended()
        return
      }
      const ended = `Process ${at + 1} ended with ${signal ?? status}`
      if (first && !place.isReady) return first.failed(new Error(ended))
      onProblem(new Error(`${ended} and is started anew`))
      setTimeout(() => ending || start(at), place.isReady ? 0 : (options.againAfterMs ?? AGAIN_AFTER_MS))
    })
  }

  function hear(place: Place, message: FromProcess, first?: First): void {
    if (message.kind === 'ready') {
      place.isReady = true
      first?.ready()
      for (const socket of waiting.splice(0)) handOver(socket)
    } else if (message.kind === 'taken') {
      place.open = message.open
      place.handed.get(message.id)?.destroy()
      place.handed.delete(message.id)
    } else if (message.kind === 'alive') place.open = message.open
    else if (message.kind === 'wake') {
      const [one] = places
      if (one) tell(one, message)
    } else if (message.kind === 'figures') take(message.id, message.text)
    else if (message.kind === 'figuresWanted') gather(place, message.id)
  }

  /** What one that has ended did not take, it has not read. */
  function handOn({ handed }: Place): void {
    for (const socket of handed.values()) handOver(socket)
    handed.clear()
  }

  /** To the one that has the fewest. */
  function handOver(socket: Socket): void {
    const loadOf = ({ open, handed }: Place) => open + handed.size
    const able = places.filter(place => place?.isReady && place.child.connected) as Place[]
    const [place] = able.sort((one, other) => loadOf(one) - loadOf(other))
    if (!place) {
      if (ending || waiting.length >= WAITING_MOST) socket.destroy()
      else waiting.push(socket)
      return
    }
    const id = ++handedOver
    place.handed.set(id, socket)
    const message: ToProcess = { kind: 'connection', id }
    // One that cannot be sent is handed on when the process has ended.
    place.child.send(message, socket, { keepOpen: true }, error => error && onProblem(error))
  }
  server.on('connection', handOver)

  function gather(asker: Place, id: string): void {
    const those = places.filter(place => place?.isReady) as Place[]
    const done = () => {
      clearTimeout(late)
      asked.delete(id)
      tell(asker, { kind: 'figures', id, texts: [...all.told, ownFigures()] })
    }
    const all: Asked = { told: [], left: those.length, done }
    const late = setTimeout(done, FIGURES_WITHIN_MS)
    asked.set(id, all)
    for (const place of those) tell(place, { kind: 'figuresWanted', id })
  }

  function take(id: string, text: string): void {
    const all = asked.get(id)
    if (!all) return
    all.told.push(text)
    if (--all.left === 0) all.done()
  }

  const watch = setInterval(() => {
    for (const [at, place] of places.entries()) {
      if (!place?.isReady || ++place.silences <= SILENCES_MOST) continue
      onProblem(new Error(`Process ${at + 1} stands still and is ended`))
      place.child.kill('SIGKILL')
    }
  }, ALIVE_EVERY_MS)

  /** Whoever was let in is answered. */
  async function allTaken(those: readonly Place[]): Promise<void> {
    const until = performance.now() + TAKEN_WITHIN_MS
    while (those.some(({ handed }) => handed.size > 0) && performance.now() < until)
      await pause(TAKEN_LOOK_MS)
  }

  async function stop(): Promise<boolean> {
    clearInterval(watch)
    server.close()
    const living = places.filter(place => place !== null)
    const { promise, resolve } = Promise.withResolvers<void>()
    const outcome = { left: living.length, isWell: true, ended: resolve }
    ending = outcome
    if (living.length === 0) resolve()
    await allTaken(living)
    for (const { child } of living) child.kill('SIGTERM')
    const forced = setTimeout(() => {
      for (const { child } of living) child.kill('SIGKILL')
    }, STOP_WITHIN_MS)
    await promise
    clearTimeout(forced)
    return outcome.isWell
  }

  const started = (at: number) =>
    new Promise<void>((resolve, reject) => {
      start(at, { ready: resolve, failed: reject })
    })
  try {
    await started(0)
    await Promise.all(Array.from({ length: count - 1 }, (_, i) => started(i + 1)))
    return {
      pids: () => places.map(place => place?.child.pid ?? null),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Of this process, which answers nobody itself. */
const ownFigures = () =>
  [
    '# HELP process_resident_memory_bytes Resident memory size in bytes.',
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes{process="listener"} ${process.memoryUsage.rss()}`,
  ].join('\n')

/** Whose words are for the service manager alone, which this process is. */
const OF_THE_MANAGER = [
  'NOTIFY_SOCKET',
  'WATCHDOG_USEC',
  'WATCHDOG_PID',
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_FDNAMES',
]

/** Runs the office until a signal ends it. A start that fails says why in words and exits with 1. */
export function runProcesses(): void {
  start().catch((error: unknown) => {
    process.stderr.write(`${messageForTerminal(error)}\n`)
    process.exit(1)
  })
}

async function start(): Promise<void> {
  const env = readEnv(process.env)
  const onProblem = (error: unknown) => void process.stderr.write(`${messageForTerminal(error)}\n`)
  const given = givenSocket()
  const server = await listenFor(given === null ? env : { fd: given })
  const { port } = server.address() as AddressInfo
  const entry = process.argv[1] as string
  let processes: Processes | null = null
  let isStopping = false
  let manager: ReturnType<typeof tellServiceManager> | null = null
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    manager?.stop()
    server.close()
    process.exit((await processes?.stop()) === false ? 1 : 0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      // Those that are being started still hear of it by their channel, which ends with this process.
      stop().catch(error => {
        onProblem(error)
        process.exit(1)
      })
    })
  processes = await startProcesses({
    count: env.processes,
    server,
    command: nth => ({
      program: process.execPath,
      args: [...process.execArgv, entry, OFFICE_PROCESS, String(nth)],
    }),
    env: { ...ownEnvironment(), PORT: String(port) },
    onProblem,
  })
  manager = tellServiceManager(onProblem)
  process.stdout.write(`Partner Office ready at http://${env.host}:${port}\n`)
}

const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_THE_MANAGER.includes(name)))
