// What a feature gives to the walks over the contract in its walk.ts; test/walks.ts joins them.
import type { Client, Office } from './app.ts'
import type { MadeAgent } from './make.ts'

export type Scene = {
  office: Office
  a: MadeAgent & {
    shops: number[]
    sub: { loginName: string; accountId: number }
    quotedOrder: string
    paidOrder: string
    sessionId: number
    shop: Record<string, unknown>
  }
  b: MadeAgent & { shop: number; details: Record<string, unknown> }
  cookieA: string
  cookieB: string
  /** B is of A's own agency and sees its own shops alone, of which none is A's. */
  isColleague: boolean
  /** What the features' walks made, by their names. */
  extra: Record<string, unknown>
}

/** Stands in every text of A's rows, so that an answer which holds one shows it. */
export const MARK = '甲方专有'

/** What B may be answered: a refusal with one of these codes, or a list that is empty, or B's own rows only. */
export type Expected = 'empty' | 'own' | string[]
export type Attempt = { as: (scene: Scene) => Record<string, unknown>; expect: Expected }

export type Prepared = {
  cookie: string | null
  input: Record<string, unknown>
  /** What the row's subject names. */
  subject: string
  /** Who acts where it is not the partner; `name` where it is not the factories' own. */
  account?: { loginName: string; accountId: number; id: number; name?: string }
}
export type Change = {
  /** Makes what one successful call needs. Every answer can be used once. */
  accepted: () => Promise<Prepared>
  /** An input that is refused for its own sake, with the code; a call without input cannot be. */
  refused: {
    input: () => Promise<Record<string, unknown>> | Record<string, unknown>
    code: string
    /** The attempt stands in the log as refused. */
    logged?: true
  } | null
}

/** Who acts in the walk over every change. */
export type Desk = {
  readonly office: Office
  readonly partner: MadeAgent
  readonly operator: MadeAgent
  readonly partnerCookie: string
  readonly operatorCookie: string
  mine(): Client
  asPartner(input: Record<string, unknown>, subject: string): Prepared
  asOperator(input: Record<string, unknown>, subject: string): Prepared
  /** A fresh shop of the partner as `id` of the input; the subject is the shop. */
  onShop(more?: Record<string, unknown>, columns?: Record<string, unknown>): Promise<Prepared>
}

/** A shop of A with the password `PASSWORD`, SMS credit and `MARK` in its texts, asked for at the door for point-of-sale software. */
export type PosScene = {
  office: Office
  agentId: number
  shop: { id: number; account: string; revision: number }
  /** Of a shop that is to be: nobody has it. */
  freeAccount: () => string
}
export type PosAttempt = {
  /** What A's key is answered with 200. */
  as: (scene: PosScene) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** What B's key is answered for the same. */
  expect: string[] | 'own'
}

export type FeatureWalk = {
  /** Operations for every signed-in account, whatever its role. */
  sessionOnly: string[]
  /**
   * Features, operations and files ('x.list (file)') that are the agency's and no shop's: by permission, as for everybody of the agency,
   * also for whoever sees its own shops alone (docs/decisions/0024).
   */
  ofAgency?: string[]
  /** Operations that move money or credit. */
  movesMoney: string[]
  /** Rows of A that B's attempts name; they are found at `scene.extra`. */
  scene: ((scene: Scene) => Promise<Record<string, unknown>>) | null
  /** By operation: what B tries with A's ids. */
  attempts: Record<string, Attempt[]>
  /** Operations whose leak the walk must catch when both walls are down. */
  scoped: string[]
  /** By operation that reads one thing: an input that names it, where the id of a shop does not. */
  reads?: (desk: Desk) => Record<string, () => Promise<Record<string, unknown>>>
  /** By operation that reads from an outside service, which the walks have none of: what it is refused with. */
  withoutService?: Record<string, string>
  /** By operation at the door for point-of-sale software. */
  pos?: Record<string, PosAttempt>
  /** By operation that changes something or is logged: one accepted and one refused call. */
  changes: (desk: Desk) => Record<string, Change>
}

export const own = (input: Record<string, unknown> = {}): Attempt => ({ as: () => input, expect: 'own' })
export const theirShop = (more: Record<string, unknown> = {}): Attempt => ({
  as: ({ a }) => ({ id: a.shops[0], ...more }),
  expect: ['NOT_FOUND'],
})
export const byAgent: Attempt = { as: ({ a }) => ({ agentId: a.id }), expect: 'empty' }
export const search = (text: (scene: Scene) => unknown): Attempt => ({
  as: scene => ({ search: String(text(scene)) }),
  expect: 'empty',
})

/** A 1 × 1 pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
