// What the features declare, joined: the program is made of it.
import type { z } from 'zod'
import { type Contract, isForKeys, type ListedOp, listOps } from '#kit/declare/op.ts'
import type { Services } from '#server/ctx.ts'
import type { DownloadHandler } from '#server/documents/export.ts'
import type { Feature } from '#server/feature.ts'
import type { FilePurposes } from '#server/files.ts'
import type { Figures } from '#server/metrics.ts'
import { joinSources } from '#server/office/inbox.ts'
import { joinSteps } from '#server/office/setup.ts'
import type { RealtimeHooks } from '#server/realtime/realtime.ts'
import { FEATURES } from './features.ts'

type Features = typeof FEATURES
type Contracts = {
  [K in keyof Features as Features[K] extends { contract: object } ? K : never]: Features[K] extends {
    contract: infer C
  }
    ? C
    : never
}

const declared: readonly Feature[] = Object.values(FEATURES)

/** One member of each feature that has it, by the feature's name. */
function byName<K extends keyof Feature>(member: K): Record<string, NonNullable<Feature[K]>> {
  return Object.fromEntries(
    Object.entries<Feature>(FEATURES).flatMap(([name, feature]) =>
      feature[member] ? [[name, feature[member]]] : [],
    ),
  )
}

export const contract = byName('contract') as Contracts
export const router = byName('router')

const pos = byName('pos')
/** What the door for point-of-sale software answers. */
export const posContract: Record<string, Contract> = Object.fromEntries(
  Object.entries(pos).map(([name, { contract }]) => [name, contract]),
)
export const posRouter = Object.fromEntries(Object.entries(pos).map(([name, { router }]) => [name, router]))
const atPos = listOps(posContract)
for (const { name, path, meta } of atPos)
  if (meta.forKeys !== 'only' || !path.startsWith('/v1/'))
    throw new Error(`${name} stands at the door for keys alone, and does not say so`)

/** By feature and name. */
export const downloads = byName('downloads')

export const downloadHandlers = Object.values(downloads).flatMap(ofFeature => Object.values(ofFeature))

/** The downloads that can also be made in the background. */
export const exportHandlers = downloadHandlers.filter(
  (handler): handler is DownloadHandler => 'plan' in handler,
)

export const callbackHandlers = declared.flatMap(({ callbacks = [] }) => callbacks)

export const PERMISSION_NODES = declared.flatMap(({ permissions = [] }) => permissions)

/** What each permission lets one do, in the words of the log. */
export function deedsOf(permission: string): readonly string[] {
  return [
    ...new Set(LOGGED.flatMap(({ permission: asked, log }) => (asked === permission && log ? [log] : []))),
  ]
}

/** What an API key can do with a permission: whether it reads or takes files along, and what it changes in the words of the log. */
export function reachOfKeys(permission: string) {
  const reached = FOR_KEYS.filter(one => one.permission === permission)
  const deeds = reached.flatMap(({ how, log }) => (how !== 'file' && log ? [log] : []))
  return {
    reads: reached.some(({ how }) => how === 'reads'),
    files: reached.some(({ how }) => how === 'file'),
    deeds: [...new Set(deeds)],
  }
}

/** An address that a key with these permissions can read as it stands, so that who has made it sees it work: at the door of its verbs. */
export function firstCallOf(permissions: readonly string[]): string {
  const isFirst = ({ meta, method, path, op }: ListedOp) =>
    method === 'GET' && !path.includes('{') && isForKeys(meta) && takesNothing(op['~orpc'].inputSchema)
  const held = ({ meta }: ListedOp) => permissions.includes(meta.permission)
  const [atDoor] = POS_FIRST.filter(isFirst).filter(held)
  if (atDoor) return `/pos${atDoor.path}${fewOf(atDoor)}`
  if (permissions.some(permission => atPos.some(({ meta }) => meta.permission === permission)))
    return `/pos${POS_FIRST.find(one => isFirst(one) && one.meta.permission === 'session')?.path ?? ''}`
  // What takes no page may still ask in its own words what is meant.
  const own = listOps(contract).filter(one => isFirst(one) && isWhole(one))
  const first = own.find(held) ?? own.find(({ meta }) => meta.permission === 'session')
  return first ? `/api${first.path}${fewOf(first)}` : ''
}

/** Of a list a page of few. */
function fewOf({ op }: ListedOp): string {
  return isPaged(op['~orpc'].inputSchema) ? '?size=10' : ''
}

const isWhole = ({ op }: ListedOp) =>
  op['~orpc'].inputSchema === undefined || isPaged(op['~orpc'].inputSchema)

function isPaged(schema: unknown): boolean {
  const { shape = {} } = (schema ?? {}) as { shape?: object }
  return 'size' in shape
}

/** Shops before what else is read of them. */
const POS_FIRST = atPos.toSorted(
  (a, b) => Number(b.name.startsWith('pos.')) - Number(a.name.startsWith('pos.')),
)

function takesNothing(schema: unknown): boolean {
  return schema === undefined || (schema as z.ZodType).safeParse({}).success
}

type ForKeys = { permission: string; how: 'reads' | 'changes' | 'file'; log?: string | undefined }
const FOR_KEYS: readonly ForKeys[] = [
  ...[...listOps(contract), ...atPos]
    .filter(({ meta }) => isForKeys(meta))
    .map(({ meta, method }): ForKeys => {
      const { permission, log } = meta
      return { permission, log, how: method === 'GET' ? 'reads' : 'changes' }
    }),
  ...downloadHandlers.map(({ download }): ForKeys => ({ permission: download.permission, how: 'file' })),
]

const LOGGED: readonly { permission: string; log?: string }[] = [
  ...[...listOps(contract), ...atPos].map(({ meta }) => meta),
  ...downloadHandlers.map(({ download }) => download),
]

export const EDITED_TABLES = declared.flatMap(({ edited = [] }) => edited)
export const CONFIGURED_TABLES = declared.flatMap(({ configured = [] }) => configured)
export const DISTRICTS = declared.flatMap(({ districts = [] }) => districts)
export const INBOX = joinSources(declared.flatMap(({ inbox = [] }) => inbox))
export const SETUP = joinSteps(declared.flatMap(({ setup = [] }) => setup))
export const SETTINGS = declared.flatMap(({ settings = [] }) => settings)

export const FIGURES: Figures = {
  counted: declared.flatMap(({ figures }) => figures?.counted ?? []),
  read: declared.flatMap(({ figures }) => figures?.read ?? []),
}

export const FILE_PURPOSES: FilePurposes = Object.assign({}, ...declared.map(({ files }) => files))

export const PAID = Object.assign({}, ...declared.map(({ paid }) => paid)) as NonNullable<Feature['paid']>

export const LOOPS = Object.assign({}, ...declared.map(({ loops }) => loops)) as NonNullable<Feature['loops']>

export function realtimeHooks(services: Services): RealtimeHooks {
  return Object.assign({}, ...declared.map(({ realtime }) => realtime?.(services)))
}
