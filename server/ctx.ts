// What a verb is given: its connection, who acts, and where to note what changed; and the kinds of what features declare for it.

import { eq, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { loggedText } from '#kit/declare/field-text.ts'
import type { Field, Fields } from '#kit/declare/fields.ts'
import type { Contract, Download, In, Out } from '#kit/declare/op.ts'
import type { BrokenValue, ReferenceTable } from '#kit/declare/reference.ts'
import type { Setting } from '#kit/declare/settings.ts'
import type { PayChannelName } from '#kit/ports/channels.ts'
import type { Providers } from '#kit/ports/providers.ts'
import type { SetupReading } from '#kit/ports/setup.ts'
import type { Clock } from './clock.ts'
import type { Database, Identity, Lent } from './db.ts'
import type { XlsxColumn } from './documents/xlsx.ts'
import type { Env } from './env.ts'
import type { Metrics } from './metrics.ts'
import type { InboxAsked, InboxShown } from './office/inbox.ts'
import type { Dated, FileRow, NameIn, RowChange, Use } from './office/reference-tables.ts'
import type { Secrets } from './secrets.ts'
import type { GuestPage } from './session-cookie.ts'
import type { Reader } from './standby.ts'
import type { Storage } from './storage/storage.ts'
import type { FieldChange } from './tables.ts'

export type Actor = {
  accountId: number
  agentId: number
  sessionId: number
  loginName: string
  name: string
  mobile: string
  companyName: string
  /** The agent's own account (usertype 0); others are sub-users (usertype 1). */
  isOwner: boolean
  isOperator: boolean
  isVendorStaff: boolean
  hasFullMenu: boolean
  /** Sees of the agency's shops those alone whose manager it is. */
  seesOwnShops: boolean
  /** Why the agency is suspended: only what `whileSuspended` marks may be changed; null: it is not. */
  suspendedFor: string | null
  /** Another made the password: only what `beforePassword` marks may be done until it is changed. */
  mustChangePassword: boolean
  permissions: ReadonlySet<string>
  factor: FactorStanding
  /** Who looks through this account, until when: reads alone. */
  viewer: { accountId: number; until: string } | null
  /** The API key of this account that a program came in with, instead of a session. */
  key: ActingKey | null
}

export type ActingKey = {
  id: number
  name: string
  /** Addresses and networks it may be used from; none: from anywhere. */
  addresses: readonly string[]
  perMinute: number
  /** When it ends, in ms. */
  until: number
  /** The token that another has been given in place of. */
  isPrevious: boolean
}

/** What a key's bucket says of a call: whole tokens left, seconds until it is full, and until there is one, where there is none. */
export type CallsLeft = { remaining: number; fullInS: number; retryInS: number | null }

/**
 * A call with an API key, from when it is let in: it leaves one row in the operation log, which `logged` says was written, or is not
 * wanted. `read`: what a reading verb has noted for it.
 */
export type KeyCall = { by: Actor & { key: ActingKey }; logged: boolean; read?: ReadNote }
export type ReadNote = {
  subject: string
  objects: readonly string[]
  merchantId: number | null
  aboutAgentId: number | null
}

/** Whether an account has a second factor, and since when (in ms) it may do nothing without one; null: it may. */
export type FactorStanding = { has: boolean; dueAt: number | null }
export const NO_FACTOR: FactorStanding = { has: false, dueAt: null }

export type LoggedBy = Pick<Actor, 'accountId' | 'agentId' | 'name'>

export type SettingsMemory = {
  /** Of the caller's own connection, so that waiting for it holds up nobody. */
  read(client: Lent['client']): Promise<ReadonlyMap<string, unknown>>
  forget(): void
}

/** What is made once per process and every operation may use. */
export type Services = {
  env: Env
  /** What time it is: for jobs, loops and whoever has no `ctx.now`. */
  clock: Clock
  database: Database
  /** Where there is one: reads at it what may be a moment old (`readerOf` of serve.ts). */
  standby: Reader | null
  /** Bytes that are no rows. Never asked for within a transaction that others wait for: it may be far away. */
  storage: Storage
  secrets: Secrets
  /** Who holds this session token, or null. */
  actorOf(token: string, ip?: string): Promise<Actor | null>
  /** The agent whose session or key it is or was, where that is remembered. */
  agentOf(token: string): number | undefined
  /** Who holds which token is read anew from here on, before the database has told of a change. */
  forgetActors(): void
  /** Who acts with this API key, or null. */
  keyOf(token: string, ip?: string): Promise<Actor | null>
  /** Takes a token out of the key's bucket and notes its use; where there is none, nothing. */
  takeCall(actor: Pick<Actor, 'agentId'> & { key: ActingKey }, ip: string): Promise<CallsLeft>
  /** Notes that a key came from an address that is not its own; answers whether this is to be logged, seldom. */
  noteForeign(key: ActingKey, ip: string): Promise<boolean>
  /** Whether this session has proven its second factor a few minutes ago; where it has none, its password. */
  isFactorFresh(sessionId: number, by: 'factor' | 'password'): Promise<boolean>
  /** The lists that can be written as a file. */
  exports: readonly ExportHandler[]
  /** What a permission lets one do: the log titles of the operations and files that ask for it. */
  deedsOf(permission: string): readonly string[]
  /** What an API key can do with a permission: whether it reads or takes files along, and the log titles of what it changes. */
  /** What a key with these permissions can call at once, without an input: its method and address. */
  firstCallOf(permissions: readonly string[]): string
  reachOfKeys(permission: string): { reads: boolean; files: boolean; deeds: readonly string[] }
  /** Hears that an export waits for its turn. */
  exportQueued(): void
  /** Outside services. */
  providers: Providers
  /** What payments from outside pay for, by asset. */
  paid: Readonly<Record<string, PaidAssetOf>>
  /** The tables of reference data that the operator edits. */
  edited: readonly EditedTable[]
  /** What is carried from one office to another beside them. */
  configured: readonly ConfiguredTable[]
  /** The columns that hold districts. */
  districts: readonly Use[]
  /** The kinds of what waits for people. */
  inbox: readonly InboxSource[]
  /** The steps of 开始使用, in their order. */
  setup: readonly SetupStep[]
  /** The numbers that the operator can set, and what is remembered of them. */
  settings: { declared: readonly Setting[]; memory: SettingsMemory }
  /** Where people and outside services reach this program, without a slash at its end. */
  baseUrl(): string
  /** Looks soon for work that waits in the database: the loop of this name that a feature declares. */
  wake(loop: string): void
  /** Says something to the pages of accounts, in all instances; nobody may be there to hear it. */
  push(accountIds: readonly number[], event: string, payload: unknown): void
  /** Accounts whose pages are connected to this instance. */
  connected(): readonly number[]
  /** Counts for /metrics what happens in this process. */
  count: Metrics['count']
  /** Hears of failures that no caller waits for. */
  onProblem(error: unknown): void
  /** Which walls stand: the two of tenancy, the second factor's, and what is closed to keys. Only a test takes one away. */
  walls: { explicitScope: boolean; rowSecurity: boolean; stepUp?: false; keys?: false }
}

export type Request = {
  id: string
  ip: string
  userAgent: string
  sessionToken: string | undefined
  /** The token is that of a look through another's account. */
  isViewing: boolean
  /** What a program sent in place of a session (Authorization: Bearer); cookies are not read then. */
  keyToken: string | undefined
  /** A session's cookie came with it all the same. */
  isMixed: boolean
  /** Set once a key is let in. */
  keyCall: KeyCall | null
  idempotencyKey: string | undefined
  /** What this browser was given when somebody signed in with it, however long ago. */
  deviceToken: string | undefined
  /** Sets the session cookie, or clears it with null. */
  setSession(token: string | null): void
  /** Sets or clears the cookie of a look through another's account, which stands before the session's. */
  setView(token: string | null): void
  setDevice(token: string): void
  /** This browser has changed something within the last seconds, or has heard that something was. */
  hasChanged: boolean
  /** Says so to this browser, all its pages. */
  noteChange(): void
  /** Who signed in at a page without an account, for this kind of page alone; no session of an account. */
  guestToken(page: GuestPage): string | undefined
  /** Sets the cookie of such a page, or clears it with null. */
  setGuest(page: GuestPage, token: string | null): void
  /** Names the state that is answered: whoever has it already is told so instead. */
  tag(state: string): void
  /** Says in the answer's header when to try again. */
  retryAfter(seconds: number): void
  /** Says in the answer's headers (draft-ietf-httpapi-ratelimit-headers) what is left of a limit per minute. */
  tellLimit(perMinute: number, left: CallsLeft): void
  /** Says in the answer's header that a key was expected (RFC 6750). */
  askForKey(): void
}

export type CallContext = { services: Services; request: Request }

/** What a request is that came from no browser and no program. */
export const NO_CALLER = {
  sessionToken: undefined,
  isViewing: false,
  keyToken: undefined,
  isMixed: false,
  keyCall: null,
  idempotencyKey: undefined,
  deviceToken: undefined,
  hasChanged: false,
  noteChange: () => undefined,
  guestToken: () => undefined,
  setGuest: () => undefined,
  tag: () => undefined,
  retryAfter: () => undefined,
  tellLimit: () => undefined,
  askForKey: () => undefined,
} as const satisfies Partial<Request>

export type Ctx = Lent & {
  services: Services
  request: Request
  /** When the operation began: by it the whole of it judges and records, however long it waits for others. */
  now: Date
  /** The acting account. Public operations have none and throw on reading it. */
  actor: Actor
  /**
   * Names the agent whose data the operation log's row is about, so that its log shows what others do there; and the shop, so that
   * the shop's timeline does.
   */
  about(agentId: number, merchantId?: number | null): void
  /**
   * Names what the operation was about ('account', 7), what matters most first: the history of that object shows the operation's
   * row. A shop or another agent named by `about` need not be named again. `features/overview/operation-log/rules.ts` has the kinds.
   */
  object(kind: string, ...ids: (number | string)[]): void
  /** Runs once the transaction is committed, and never where it is not. Its failure is told to the log alone. */
  afterCommit(work: () => void | Promise<void>): void
  /** What was asked for stood already: the operation leaves no row in the log, so that repeating it fills nothing. */
  nothingChanged(): void
  /** Fills the operation log's row of this operation; noted before a refusal that keeps its writes, it stands there as refused. */
  note(subject: string, changes?: FieldChange[], by?: LoggedBy): void
}

/** What carries an operation out. */
export type Verb<P extends Contract[string]> = (ctx: Ctx, input: In<P>) => Promise<Out<P>>

// What features declare and services hold: its functions take a Ctx, which holds the services, so that all stand in one file.

export type PaidOrder = {
  intentId: string
  orderNo: string
  agentId: number
  /** Whose account the money came to; null: the vendor's. */
  payeeAgentId: number | null
  amountFen: number
}

/** Both are called inside the transaction that records the payment or its refund, at most once each for an order. */
export type PaidAssetOf = {
  /** Gives what was paid for. Throws only where it must be tried again; the payment then stays unrecorded until it is. */
  credit(ctx: Ctx, order: PaidOrder, channel: PayChannelName): Promise<void>
  /** Before the money goes back; refuses (with a Refusal) where what was given is gone. */
  takeBack(ctx: Ctx, order: PaidOrder, remark: string): Promise<void>
  /** What became of a refund; a failed one may be done later. May be told the same again. */
  refunded?(ctx: Ctx, refund: { id: number; state: 'done' | 'failed' }): Promise<void>
}

export type InboxSource = {
  key: `${string}.${string}`
  /** Its kind, unlike any other's. */
  label: string
  /** Who sees it. */
  permission: string
  /** Who may do it, and so be charged with it; as `permission` when absent. */
  decides?: string
  /** Of both when absent. */
  for?: 'staff' | 'partner'
  /** Of vendor staff too, those of the acting agency alone. */
  ofAgency?: true
  table: PgTable
  id: PgColumn
  /** Since when it waits. */
  since: PgColumn | SQL
  /** Sorts as `since` does, where an index has it. */
  order?: PgColumn
  /** Of the table's rows those that wait; an index should lead to them in the order of `since`. */
  waits(asked: InboxAsked): SQL | undefined
  /** Within so many hours somebody has been promised an answer. */
  within?: Setting
  /** Somebody's money hangs on it: it stands above what was promised. */
  isMoney?: true
  /** Things of this kind are alike: many are one line, which says how many there are before these words (`条短信待判定`). */
  folded?: string
  /** What people have done of it, where its rows say who and when. */
  decided?: InboxDecided
  /** These ids were found behind the walls that `waits` or `decided` has. */
  shown(ctx: Ctx, ids: readonly number[]): Promise<InboxShown[]>
}

export type InboxDecided = {
  /** Of the table's rows those that somebody has done; an index should lead to them in the order of `order`, the latest first. */
  is(asked: InboxAsked): SQL | undefined
  at: PgColumn
  byName: PgColumn
  order: PgColumn
  /** Its desk shows what was done, too. */
  opens?: true
}

/** A step of 开始使用: its state is read from what the office has, never ticked. */
export type SetupStep = {
  key: `${string}.${string}`
  label: string
  /** Whose start page it stands on: the operator's, or a partner's. */
  for: 'operator' | 'partner'
  /** Who is shown it. */
  permission: string
  /** Those of a lower number are done first. */
  order: number
  /** An office can work without it: an account may put it off. */
  optional?: true
  /** Path of our own page where it is done; null: no page does it, as where a setting is missing. */
  path: string | null
  /** Null: it does not concern whoever looks. Asked without a transaction. */
  read(ctx: Ctx): Promise<SetupReading | null>
}

/** The columns that it declares have the names of its fields; with `orders` it has `position`, with `retires` `retiredAt`. */
export type EditedTable = ReferenceTable & {
  readonly table: PgTable
  /** The key of its rows: a number that the editor gives, a text, or one of its fields, which is typed once. */
  readonly id: AnyPgColumn
  readonly uses: readonly Use[]
  /** What it refuses of a change besides what its fields say. */
  readonly refuse?: (ctx: Ctx, change: RowChange) => Promise<BrokenValue | null>
  /** What those of its columns are called that are no fields. */
  readonly labels?: Readonly<Record<string, string>>
}

/** A table whose rows are edited elsewhere; who changed them, when, and what lies in this office alone is left out. */
export type ConfiguredTable = {
  readonly key: string
  readonly title: string
  readonly table: PgTable
  /** The columns that tell its rows apart in every office alike: their key, or what they are about. */
  readonly id: AnyPgColumn | readonly AnyPgColumn[]
  /** The column that people know a row by, or what it is called. */
  readonly named: string | ((row: FileRow, nameIn: NameIn) => string)
  /** What its columns are called where that is not said for all tables (COLUMN_LABELS). */
  readonly labels?: Readonly<Record<string, string>>
  /** What its columns are called otherwise. */
  readonly fields?: Fields
  /** How a value is told; null: as it stands. */
  readonly textOf?: (column: string, value: unknown) => string | null
  /** Columns that stay behind, with what a row that comes into another office gets in their place. */
  readonly leaves: Readonly<Record<string, unknown>>
  /** Columns that a change by a file sets besides, as the count by which a stale page is told. */
  readonly touches?: Readonly<Record<string, unknown>>
  /** The words that a column may hold. */
  readonly words?: Readonly<Record<string, readonly string[]>>
  /** What is wrong with a row besides, in words. */
  readonly flawOf?: (row: FileRow) => string | null | Promise<string | null>
  /** Which of its rows are carried; all where it is left out. */
  readonly carried?: SQL
  /** What of it stays behind: said in the file and before it is imported. */
  readonly left?: string
  /** With it, rows that the file does not have go where nothing names them. */
  readonly uses?: readonly Use[]
  readonly dated?: Dated
  /** Once rows of it were written. */
  readonly afterwards?: (ctx: Ctx) => Promise<unknown>
}

export type ExportPlan = {
  columns: readonly XlsxColumn[]
  /** The statement whose rows are written, its fields, and the values of its placeholders. */
  statement: { getSQL(): SQL; _: { selectedFields: Record<string, unknown> } }
  values: Record<string, unknown>
  /** Turns a raw row of the statement, in the order of its columns, into cells. */
  cells(row: readonly unknown[]): readonly unknown[]
}

export type ExportHandler = {
  download: Download
  plan(ctx: Ctx, input: never): ExportPlan | Promise<ExportPlan>
}

/** `wanted` 'below' also lets the rows of the agents under the acting one be read, where a policy says so. */
export function identityOf(
  actor: Actor,
  walls: Services['walls'],
  wanted: 'own' | 'below' = 'own',
): Identity {
  const seesAll = actor.isVendorStaff || !walls.rowSecurity
  const identity: Identity = { agentId: actor.agentId, scope: seesAll ? 'all' : wanted }
  if (!actor.seesOwnShops) return identity
  const { explicitScope: views, rowSecurity: policies } = walls
  return { ...identity, ownShops: { managerId: actor.accountId, views, policies } }
}

/**
 * First wall: the rows of the acting agent, or all for vendor staff. Put it into every `where` of a tenant table. Who sees its own
 * shops alone is narrowed further by what the tables' names mean on its connections (`own_shops`).
 */
export function ownRows(ctx: Ctx, agentId: AnyPgColumn): SQL | undefined {
  if (ctx.actor.isVendorStaff || !ctx.services.walls.explicitScope) return undefined
  return eq(agentId, ctx.actor.agentId)
}

/** The changed fields between two rows, under the names and in the words people know. */
export function changesOf<T extends Record<string, unknown>>(
  before: T,
  after: Partial<T>,
  fields: Partial<Record<keyof T, Field>>,
): FieldChange[] {
  return Object.entries(fields as Fields).flatMap(([key, field]) => {
    if (!(key in after) || Object.is(before[key], after[key])) return []
    return [
      { name: field.label, before: loggedText(field, before[key]), after: loggedText(field, after[key]) },
    ]
  })
}
