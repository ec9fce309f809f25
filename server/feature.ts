// What a feature adds to the program; each declares it in its feature.ts, and the district.ts of its district lists it.
import type { PgInsertValue, PgTable } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { Contract } from '#kit/declare/op.ts'
import type { PermissionNode } from '#kit/declare/permission.ts'
import type { Setting } from '#kit/declare/settings.ts'
import type { RealtimeHooks } from '#server/realtime/realtime.ts'
import type { CallbackHandler } from './callbacks.ts'
import type { AnyDownload } from './callers/downloads.ts'
import type { Book } from './checkpoints/checkpoints.ts'
import type { ConfiguredTable, EditedTable, InboxSource, PaidAssetOf, Services, SetupStep } from './ctx.ts'
import type { FilePurposes } from './files.ts'
import type { Job } from './jobs.ts'
import type { Cleared } from './keeping.ts'
import type { Figures } from './metrics.ts'
import type { Use } from './office/reference-tables.ts'

export type Feature = {
  contract?: Contract
  /** The contract behind its guards: `serve(contract, verbs)`. */
  router?: Readonly<Record<string, unknown>>
  /** Operations of the door for point-of-sale software, under /pos: for keys alone, their paths beginning with /v1. */
  pos?: { contract: Contract; router: Readonly<Record<string, unknown>> }
  /** Files by their name in the contract. Those with a plan can also be made in the background. */
  downloads?: Readonly<Record<string, AnyDownload>>
  /** What outside services call. */
  callbacks?: readonly CallbackHandler[]
  /** Its pages and the actions on them, in the tree of all features. */
  permissions?: readonly PermissionNode[]
  /** What a fresh database starts with, parents before children. Rows that exist stay as they were edited. */
  reference?: readonly ReferenceRows[]
  /** Tables of its reference data that the operator edits on one page. */
  edited?: readonly EditedTable[]
  /** Tables beside them that the configuration file carries to another office, what they name before them. */
  configured?: readonly ConfiguredTable[]
  /** Its columns that hold districts by their six digits: who has one that is offered no more is counted. */
  districts?: readonly Use[]
  /** Numbers of its rules that the operator sets. */
  settings?: readonly Setting[]
  /** Its tables whose rows are only ever added, and whose end is signed outside of the database. */
  books?: readonly Book[]
  /** Recurring work that one instance of many does. */
  jobs?: readonly Job[]
  /** Statements that the owner runs at each start before anything is served; they may find their work done. */
  starting?: readonly string[]
  /** Rows of its tables that go once they are old; every hour. What else is kept how long says app/keeping.ts. */
  clearing?: readonly Cleared[]
  /** Work that waits in the database, by the name that wakes it: see `Services.wake`. */
  loops?: Readonly<Record<string, FeatureLoop>>
  /** Kinds of what waits for people in it. */
  inbox?: readonly InboxSource[]
  /** Its steps of 开始使用. */
  setup?: readonly SetupStep[]
  /** For /metrics. */
  figures?: Partial<Figures>
  /** What payments from outside may pay for, by the asset's name in `features/sales/payments/rules.ts`. */
  paid?: Readonly<Record<string, PaidAssetOf>>
  /** What pictures may be uploaded for. */
  files?: FilePurposes
  /** What it does when pages connect and speak. */
  realtime?: (services: Services) => Partial<RealtimeHooks>
}

/** Lends a connection as the database's owner, opened for this work. */
export type AsOwner = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>

export type FeatureLoop = {
  everyMs: number
  /** How long after a call of `wake` it looks: whoever calls may not have committed yet. */
  afterMs: number
  /** Every process of an office has it, since its work is about who is connected there; otherwise one has. */
  ofEach?: true
  /** A notification of the database that wakes it too. */
  heard?: string
  /** Ends what `work` has left under way, once it is called no more. */
  finish?(services: Services): Promise<void>
} & (
  | {
      /** Does a part and answers whether more waits. */
      work(services: Services): Promise<boolean>
    }
  | {
      /** The same for what is not the app's to write. */
      workAsOwner(services: Services, asOwner: AsOwner): Promise<boolean>
    }
)

/** `key`: the field by which one that was deleted is known. */
export type ReferenceRows = { table: PgTable; rows: readonly object[]; key: string }

export function rowsOf<T extends PgTable>(
  table: T,
  rows: readonly PgInsertValue<T>[],
  key = 'id',
): ReferenceRows {
  return { table, rows, key }
}
