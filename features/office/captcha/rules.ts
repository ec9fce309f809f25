// Owns what a slide puzzle guards, how its answer is judged and how often it may be asked for (D1 §7; providers.md §8).
// Must never read a clock or a database.

/**
 * What is guarded: codes to a shop's phone, the public consultation form, signing in after failures, a forgotten password, a shop's
 * own page, the code of whoever applies to become a partner, of a shop's owner.
 */
export const SCENES = ['code', 'consultation', 'login', 'owner', 'partner', 'reset', 'shop'] as const
export type Scene = (typeof SCENES)[number]

/** Pixels of the puzzle's own picture; the page may show it larger or smaller. */
export const PUZZLE = { width: 320, height: 180, piece: 64, leastX: 88, toleranceX: 4 } as const
export const PUZZLE_SECONDS = 120
export const PASS_SECONDS = 120

/** Of one network: pictures that may be asked for in an hour; fewer where it says that the third party's do not come. */
export const CHALLENGES_PER_HOUR = { usual: 60, unreachable: 10 } as const

type PassLimits = { perNetworkHour: number; everySeconds: number; perHour: number; perDay: number }
/** What was let through: of a network, and of one phone or shop. */
export const PASS_LIMITS: Record<Scene, PassLimits> = {
  code: { perNetworkHour: 20, everySeconds: 60, perHour: 5, perDay: 10 },
  consultation: { perNetworkHour: 10, everySeconds: 60, perHour: 3, perDay: 5 },
  // Tries have limits of their own, and nobody may use up somebody else's.
  login: { perNetworkHour: 60, everySeconds: 0, perHour: 1_000, perDay: 10_000 },
  owner: { perNetworkHour: 20, everySeconds: 0, perHour: 10, perDay: 20 },
  partner: { perNetworkHour: 10, everySeconds: 60, perHour: 3, perDay: 5 },
  reset: { perNetworkHour: 20, everySeconds: 60, perHour: 5, perDay: 10 },
  shop: { perNetworkHour: 20, everySeconds: 60, perHour: 5, perDay: 10 },
}
/** Beyond this, in an hour and over all networks, the operator's log says so. */
export const PASSES_PER_HOUR_ALARM = 2_000

/** Refusals of whatever a pass opens; every operation that takes one declares them. `secondsLeft` stands in CAPTCHA_TOO_SOON's data. */
export const PASS_REFUSALS = {
  CAPTCHA_REQUIRED: '请完成安全验证',
  CAPTCHA_WRONG: '验证已失效，请重新验证',
  CAPTCHA_TOO_SOON: '操作过于频繁，请稍后再试',
  CAPTCHA_TOO_MANY: '操作次数已达上限，请稍后再试',
} as const

export const PUZZLE_REFUSALS = {
  CAPTCHA_MISSED: '拼图没有对准，请再试一次',
  CAPTCHA_TOO_SLOW: '拖动用时过长，已为您更换一张，请再试一次',
  CAPTCHA_UNNATURAL: '验证未通过，请再试一次',
  CAPTCHA_EXPIRED: '图片已失效，已为您更换一张',
  CAPTCHA_REJECTED: '验证未通过，请再试一次',
  CAPTCHA_UNAVAILABLE: '验证服务暂时不可用，请改用拼图验证',
} as const
export type PuzzleRefusal = keyof typeof PUZZLE_REFUSALS

/** What the page tells of how the piece was moved: its left edge and the hand's height in pixels, milliseconds since the start. */
export type TrailPoint = readonly [x: number, y: number, atMs: number]
export type Moved = {
  by: 'pointer' | 'keys'
  x: number
  durationMs: number
  trail: readonly TrailPoint[]
}

export const TRAIL_POINTS_MAX = 400
/** What one press of an arrow key moves, and with shift or a page key. */
export const KEY_STEPS = { small: 2, large: 10 } as const
const LEAST_MS = 200
/** A careful person hesitates; the puzzle itself ends later. */
const MOST_MS = 60_000
const LEAST_POINTS = { pointer: 10, keys: 5 } as const
const CLOCK_SLACK_MS = 1_000
const START_X = 8
const LEAST_VARIATION = 0.12

/** What is wrong with an answer to a puzzle whose piece belongs at `trueX`, shown `shownMs` ago; null: a person's. */
export function refuseAnswer(moved: Moved, trueX: number, shownMs: number): PuzzleRefusal | null {
  if (Math.abs(moved.x - trueX) > PUZZLE.toleranceX) return 'CAPTCHA_MISSED'
  if (moved.durationMs > MOST_MS) return 'CAPTCHA_TOO_SLOW'
  return isNatural(moved, shownMs) ? null : 'CAPTCHA_UNNATURAL'
}

function isNatural({ by, x, durationMs, trail }: Moved, shownMs: number): boolean {
  const [first, last] = [trail[0], trail.at(-1)]
  if (!first || !last || trail.length < LEAST_POINTS[by]) return false
  if (durationMs < LEAST_MS || durationMs > shownMs + CLOCK_SLACK_MS) return false
  if (first[0] > START_X || Math.abs(last[0] - x) > 1) return false
  const steps = trail.slice(1).map((point, i) => {
    const before = trail[i] as TrailPoint
    return { dx: point[0] - before[0], ms: point[2] - before[2] }
  })
  if (first[2] < 0 || steps.some(({ ms }) => ms < 0)) return false
  if (last[2] > durationMs + CLOCK_SLACK_MS) return false
  return by === 'keys' ? areKeySteps(steps) : isHandMade(steps)
}

type Step = { dx: number; ms: number }

/** A hand is never even: neither its speed nor the distance between two reports of it. */
function isHandMade(steps: readonly Step[]): boolean {
  const timed = steps.filter(({ ms }) => ms > 0)
  const distances = new Set(timed.map(({ dx }) => Math.round(dx * 10)))
  return distances.size > 2 && variationOf(timed.map(({ dx, ms }) => dx / ms)) >= LEAST_VARIATION
}

/** Keys move by whole steps, at moments that are never quite even. */
function areKeySteps(steps: readonly Step[]): boolean {
  const sizes: readonly number[] = Object.values(KEY_STEPS)
  const edge = Math.max(...sizes)
  // A press at the end of the rail moves by what is left.
  const areWhole = steps.every(({ dx }, i) => {
    const size = Math.abs(dx)
    return sizes.some(step => Math.abs(size - step) < 0.01) || (i < steps.length - 1 && size < edge)
  })
  return areWhole && variationOf(steps.map(({ ms }) => ms)) > 0.01
}

/** Standard deviation as a share of the mean's size. */
function variationOf(values: readonly number[]): number {
  if (values.length === 0) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return mean === 0 ? 0 : Math.sqrt(variance) / Math.abs(mean)
}

export type PassUse = {
  /** Passes that this network used in the last hour. */
  networkHour: number
  subjectHour: number
  subjectDay: number
  /** When this subject last used one. */
  lastUsedMs: number | null
}

/** Why a scene lets nobody through now, or null. THROTTLED concerns the network, the others the phone or shop. */
export function refusePass(
  scene: Scene,
  use: PassUse,
  nowMs: number,
): { code: 'THROTTLED' | 'CAPTCHA_TOO_SOON' | 'CAPTCHA_TOO_MANY'; secondsLeft: number } | null {
  const limits = PASS_LIMITS[scene]
  const againMs = use.lastUsedMs === null ? nowMs : use.lastUsedMs + limits.everySeconds * 1_000
  if (againMs > nowMs) return { code: 'CAPTCHA_TOO_SOON', secondsLeft: Math.ceil((againMs - nowMs) / 1_000) }
  if (use.subjectHour >= limits.perHour || use.subjectDay >= limits.perDay)
    return { code: 'CAPTCHA_TOO_MANY', secondsLeft: 0 }
  return use.networkHour >= limits.perNetworkHour ? { code: 'THROTTLED', secondsLeft: 0 } : null
}

/** Who a network is: an IPv4 address, or the first half of an IPv6 address, whose second half anybody chooses. */
export function networkOf(ip: string): string {
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail = ''] = plain.split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const middle = plain.includes('::') ? Array(Math.max(8 - before.length - after.length, 0)).fill('0') : []
  return [...before, ...middle, ...after]
    .slice(0, 4)
    .map(part => Number.parseInt(part, 16).toString(16))
    .join(':')
}
