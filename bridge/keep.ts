// What the program remembers: who is paired (by hash), the pairing code that waits, defaults, calibrations and modes of the desk.
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import {
  type Defaults,
  PAIRING,
  PRINT_KIND_KEYS,
  PRINT_MODE_KEYS,
  type PrintMode,
  type Unpaired,
} from '#kit/print/bridge/bridge.ts'
import { CalibrationShape } from '#kit/print/bridge/bridge-messages.ts'
import { writeWhole } from './files.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
const State = z.object({
  tokens: z
    .array(z.object({ hash, origin: z.string(), office: z.string(), pairedAt: z.string() }))
    .default([]),
  defaults: z.partialRecord(z.enum(PRINT_KIND_KEYS), z.string()).default({}),
  calibrations: z.record(z.string(), CalibrationShape).default({}),
  modes: z.record(z.string(), z.enum(PRINT_MODE_KEYS)).default({}),
})
type State = z.infer<typeof State>
const Pairing = z.object({ hash, expiresAt: z.number(), left: z.int() })

const TOKENS_MOST = 50
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'))

/** Puts a code into the folder, in place of one that waits; whoever sees the console of this machine may type it. */
export function offerPairing(dir: string, now = Date.now()): string {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const code = String(randomInt(10 ** PAIRING.digits)).padStart(PAIRING.digits, '0')
  const expiresAt = now + PAIRING.minutes * 60_000
  writeWhole(
    join(dir, 'pairing.json'),
    JSON.stringify({ hash: hashOf(code), expiresAt, left: PAIRING.tries }),
  )
  return code
}

export function openKeep(dir: string, now: () => number = Date.now) {
  const path = join(dir, 'state.json')
  const pairingPath = join(dir, 'pairing.json')
  const state: State = State.parse(existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
  const save = () => writeWhole(path, JSON.stringify(state))
  /** A token for a page that was allowed, kept as its hash. */
  const issue = (origin: string, office: string): string => {
    const token = randomBytes(32).toString('base64url')
    const pairedAt = new Date(now()).toISOString()
    state.tokens = [...state.tokens, { hash: hashOf(token), origin, office, pairedAt }].slice(-TOKENS_MOST)
    save()
    return token
  }
  return {
    isPaired: () => state.tokens.length > 0,
    /** Whether the token was given to a page of this origin. All are looked at, so that the time tells nothing. */
    knows(token: string, origin: string): boolean {
      const given = hashOf(token)
      return state.tokens.filter(one => isSame(one.hash, given) && one.origin === origin).length > 0
    },
    /** A token for the code, once; or why not, and how many tries are left. A try is counted before it is judged. */
    pair(
      code: string,
      origin: string,
      office: string,
    ): { token: string } | { reason: Unpaired; left: number } {
      if (!existsSync(pairingPath)) return { reason: 'none', left: 0 }
      const pairing = Pairing.parse(JSON.parse(readFileSync(pairingPath, 'utf8')))
      if (now() > pairing.expiresAt) return { reason: 'expired', left: 0 }
      if (pairing.left < 1) return { reason: 'tries', left: 0 }
      const left = pairing.left - 1
      writeWhole(pairingPath, JSON.stringify({ ...pairing, left }))
      if (!isSame(pairing.hash, hashOf(code.replace(/\s/g, ''))))
        return { reason: left ? 'code' : 'tries', left }
      rmSync(pairingPath)
      return { token: issue(origin, office) }
    },
    issue,
    /** The last that was paired of each origin. */
    offices: () => [
      ...new Map(state.tokens.map(({ origin, office }) => [origin, { origin, office }])).values(),
    ],
    forget(token: string): void {
      state.tokens = state.tokens.filter(one => !isSame(one.hash, hashOf(token)))
      save()
    },
    defaults: (): Defaults => ({
      label: state.defaults.label ?? null,
      receipt: state.defaults.receipt ?? null,
    }),
    setDefault(kind: keyof Defaults, target: string | null): void {
      if (target === null) delete state.defaults[kind]
      else state.defaults[kind] = target
      save()
    },
    // A printer may be called constructor.
    modeOf: (target: string): PrintMode =>
      Object.hasOwn(state.modes, target) ? (state.modes[target] as PrintMode) : 'raster',
    setMode(target: string, mode: PrintMode): void {
      state.modes[target] = mode
      save()
    },
    calibrationOf: (target: string) =>
      Object.hasOwn(state.calibrations, target) ? state.calibrations[target] : undefined,
    calibrate(target: string, calibration: z.infer<typeof CalibrationShape>): void {
      state.calibrations[target] = calibration
      save()
    },
  }
}
