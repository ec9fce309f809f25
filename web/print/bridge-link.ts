// The page's one connection to this desk's print program: how it stands, the printers, jobs under way. All failures of
// a connection look alike to a page (1006): which it was, the browser's permission tells.
import {
  ASK_PATH,
  BRIDGE_PORT,
  type BridgeAnswer,
  type BridgeState,
  type Calibration,
  CLOSED,
  type Desk,
  type Failure,
  type JobRow,
  type PrintKind,
  type PrintMode,
  stateOfWelcome,
  UNPAIRED,
  type Wait,
} from '#kit/print/bridge/bridge.ts'

export type Link = {
  state: BridgeState
  /** Why it is not paired, where that is known. */
  problem: string | null
  /** Its list does not name this office yet: it can be asked alone, not told a code. */
  asksOnly: boolean
  /** What both pages show while a person is asked; null: nobody is. */
  askCode: string | null
  program: string | null
  caps: readonly string[]
  desk: Desk | null
  /** The last jobs; null until asked for. */
  log: readonly JobRow[] | null
}
/** How a job stands, told as it goes. */
export type Step = { state: 'accepted' | 'printing' } | { state: 'waiting'; reason: Wait }
export type Ended = { state: 'done'; sha256: string } | { state: 'failed'; reason: Failure; detail: string }
export type SentJob = {
  id: string
  target: string
  kind: PrintKind
  name: string
  copies: number
  data: Uint8Array
}

/** What the program knows of a job that was sent before. */
export type Followed = Ended | { state: 'unknown' }

type Open = {
  text: string
  /** It went to the program, whether it came there or not. */
  sent: boolean
  onStep: (step: Step) => void
  onEnd: (ended: Ended) => void
  onUnknown?: () => void
}

const TOKEN = 'bridgeToken'
const AGAIN_MS = [1_000, 2_000, 5_000]

let link: Link = {
  ...{ state: 'connecting', problem: null, asksOnly: false, askCode: null },
  ...{ program: null, caps: [], desk: null, log: null },
}
let socket: WebSocket | null = null
let users = 0
let failures = 0
let again: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const jobs = new Map<string, Open>()

function change(next: Partial<Link>): void {
  link = { ...link, ...next }
  for (const listener of listeners) listener()
}

export const linkStore = {
  read: () => link,
  /** Connects while anybody looks. */
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    users += 1
    if (!socket) connect()
    return () => {
      listeners.delete(listener)
      users -= 1
      // A dialog that gives way to a page keeps the connection.
      setTimeout(() => {
        if (users === 0 && jobs.size === 0) disconnect()
      }, 1_000)
    }
  },
}

const portOf = () =>
  Number(document.querySelector<HTMLMetaElement>('meta[name="bridge-port"]')?.content ?? BRIDGE_PORT)
const tokenOf = () => localStorage.getItem(TOKEN)

/**
 * Whether the browser lets this page reach this machine, or asks a person first. Browsers that do not know the question refuse nothing, nor do
 * they to pages of it.
 */
let watched: PermissionStatus | undefined
async function permission(): Promise<PermissionState> {
  if (/^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)$/.test(location.hostname)) return 'granted'
  for (const name of ['loopback-network', 'local-network-access']) {
    try {
      watched ??= await navigator.permissions.query({ name: name as PermissionName })
      watched.onchange = () => users > 0 && connect()
      return watched.state
    } catch {
      // The next name is an older browser's.
    }
  }
  return 'granted'
}
const WITHOUT = { granted: 'missing', prompt: 'asking', denied: 'blocked' } as const

/** Tries anew, at once. */
export function connect(): void {
  disconnect()
  if (link.state !== 'missing') change({ state: 'connecting' })
  void tellAsking()
  openSocket(greet)
}

function greet(opened: WebSocket): void {
  const token = tokenOf()
  if (token) say({ type: 'hello', token })
  else {
    change({ state: 'unpaired', problem: null, asksOnly: false, desk: null })
    opened.close()
  }
}

/** While the browser asks, the connection waits. */
async function tellAsking(): Promise<void> {
  const isAsked = isSecureContext && (await permission()) === 'prompt'
  if (isAsked && link.state === 'connecting') change({ state: 'asking' })
}

function openSocket(
  onOpen: (opened: WebSocket) => void,
  path = '/',
  onClosed: (code: number) => void = code => void closed(code),
): void {
  const opened = new WebSocket(`ws://127.0.0.1:${portOf()}${path}`)
  socket = opened
  opened.onopen = () => {
    if (socket === opened) onOpen(opened)
  }
  opened.onmessage = ({ data }) => {
    if (socket === opened) hear(JSON.parse(String(data)) as BridgeAnswer)
  }
  opened.onclose = ({ code }) => {
    if (socket !== opened) return
    socket = null
    onClosed(code)
  }
}

async function closed(code: number): Promise<void> {
  if (link.state === 'unpaired' || code === CLOSED.unpaired) {
    if (link.state !== 'unpaired') change({ state: 'unpaired', problem: null, desk: null })
    return
  }
  const allowed = await permission()
  const state = allowed !== 'granted' && !isSecureContext ? 'insecure' : WITHOUT[allowed]
  if (socket) return
  if (state === 'missing') lookForAsking()
  else change({ state, desk: null })
}

/** A program whose list does not name this office lets it ask; one that is not there, or older, does not. */
function lookForAsking(): void {
  openSocket(
    asked => {
      asked.close()
      askAgain()
    },
    ASK_PATH,
    missing,
  )
}

/** One that began between the two tries knows this office after all. */
function askAgain(): void {
  let isKnown = false
  openSocket(
    opened => {
      isKnown = true
      greet(opened)
    },
    '/',
    code => {
      if (isKnown) void closed(code)
      else change({ state: 'unpaired', problem: null, asksOnly: true, desk: null })
    },
  )
}

function missing(): void {
  change({ state: 'missing', desk: null })
  // What the browser refuses it refuses until a person allows it, and it is not made to ask again and again.
  if (users === 0 && jobs.size === 0) return
  again = setTimeout(connect, AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)])
  failures += 1
}

function disconnect(): void {
  clearTimeout(again)
  const old = socket
  socket = null
  old?.close()
}

function say(message: object): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
}

function hear(answer: BridgeAnswer): void {
  if (answer.type === 'welcome') {
    const { version, program, caps, targets, defaults, copiesMost } = answer
    failures = 0
    change({
      ...{ state: stateOfWelcome(version, caps, []), problem: null, program, caps },
      desk: { targets, defaults, copiesMost },
    })
    // What was under way is asked for again: it is printed once.
    for (const job of jobs.values()) put(job)
  } else if (answer.type === 'desk') {
    const { targets, defaults, copiesMost } = answer
    change({ desk: { targets, defaults, copiesMost } })
    if (link.log) askLog()
  } else if (answer.type === 'paired') localStorage.setItem(TOKEN, answer.token)
  else if (answer.type === 'asked') change({ askCode: answer.code })
  else if (answer.type === 'unpaired') {
    if (answer.reason === 'token') localStorage.removeItem(TOKEN)
    const left = answer.reason === 'code' ? `，还可以试 ${answer.left} 次` : ''
    const problem = answer.reason === 'token' ? null : `${UNPAIRED[answer.reason]}${left}`
    change({ state: 'unpaired', problem, askCode: null, desk: null })
  } else if (answer.type === 'log') change({ log: answer.rows })
  else if (answer.type !== 'refused') hearOfJob(answer)
}

function hearOfJob(
  answer: Exclude<
    BridgeAnswer,
    { type: 'welcome' | 'desk' | 'paired' | 'asked' | 'unpaired' | 'log' | 'refused' }
  >,
) {
  if (link.log) askLog()
  const job = jobs.get(answer.id)
  if (!job) return
  if (answer.type === 'waiting') job.onStep({ state: 'waiting', reason: answer.reason })
  else if (answer.type === 'accepted' || answer.type === 'printing') job.onStep({ state: answer.type })
  else if (answer.type === 'unknown') {
    if (job.onUnknown) jobs.delete(answer.id)
    job.onUnknown?.()
  } else {
    jobs.delete(answer.id)
    if (answer.type === 'done') job.onEnd({ state: 'done', sha256: answer.sha256 })
    else job.onEnd({ state: 'failed', reason: answer.reason, detail: answer.detail })
  }
}

/** Exchanges the code of the program's console for a token that this browser keeps for this office. */
export function pair(code: string): void {
  disconnect()
  change({ state: 'connecting', problem: null })
  openSocket(() =>
    say({ type: 'pair', code: code.replace(/\D/g, '').slice(0, 20), office: document.title.slice(0, 80) }),
  )
}

/** Asks the person at the program's own page for a token; ends as paired, or with the reason why not. */
export function askPairing(): void {
  disconnect()
  change({ problem: null, askCode: null })
  openSocket(
    () => say({ type: 'ask', office: document.title.slice(0, 80) }),
    ASK_PATH,
    () => {
      const isAllowed = tokenOf() !== null
      const lost = link.askCode === null ? null : UNPAIRED.late
      change({ askCode: null, problem: isAllowed ? null : (link.problem ?? lost ?? NO_ASKING) })
      if (isAllowed) connect()
    },
  )
}
const NO_ASKING = '打印程序没有回答：请确认它在运行；旧版本只能用配对码'

export function forget(): void {
  say({ type: 'forget' })
  localStorage.removeItem(TOKEN)
}

/** Prints by the program; asked again under the same id it is printed once. */
export function sendJob(
  { data, ...job }: SentJob,
  onStep: (step: Step) => void = () => undefined,
): Promise<Ended> {
  const text = JSON.stringify({ type: 'print', ...job, name: job.name.slice(0, 80), data: base64(data) })
  return new Promise(resolve => begin(job.id, { text, sent: false, onStep, onEnd: resolve }))
}

/** What became of a job that was sent before, followed until it ends; nothing is printed by it. */
export function followJob(id: string, onStep: (step: Step) => void): Promise<Followed> {
  const text = JSON.stringify({ type: 'ask', id })
  return new Promise(resolve => {
    const onUnknown = () => resolve({ state: 'unknown' })
    begin(id, { text, sent: false, onStep, onEnd: resolve, onUnknown })
  })
}

/** Nobody waits for it any more; whether it had gone to the program. It may be printed all the same. */
export function dropJob(id: string): boolean {
  const job = jobs.get(id)
  jobs.delete(id)
  return job?.sent ?? false
}

function begin(id: string, job: Open): void {
  jobs.set(id, job)
  if (link.state === 'ready') put(job)
  else if (!socket) connect()
}

function put(job: Open): void {
  if (link.state !== 'ready' || socket?.readyState !== WebSocket.OPEN) return
  job.sent = true
  socket.send(job.text)
}

export const cancelJob = (id: string) => say({ type: 'cancel', id })
export const reprintJob = (of: string, copies: number) =>
  new Promise<Ended>(resolve => {
    const message = { type: 'reprint', id: crypto.randomUUID(), of, copies }
    const onStep = () => undefined
    jobs.set(message.id, { text: JSON.stringify(message), sent: true, onStep, onEnd: resolve })
    say(message)
  })
export const askLog = () => say({ type: 'log' })
export const checkTarget = (target: string) => say({ type: 'check', target })
export const calibrate = (target: string, calibration: Calibration) =>
  say({ type: 'calibrate', target, calibration })
export const setMode = (target: string, mode: PrintMode) => say({ type: 'mode', target, mode })
export const setDefault = (kind: PrintKind, target: string | null) => say({ type: 'default', kind, target })

function base64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)))
  return btoa(parts.join(''))
}
