// The shape of one operation: its route, permission, log title and refusals. Every contract is made with it.
// The only kit file that knows oRPC.
import { type AnyContractProcedure, isContractProcedure, oc } from '@orpc/contract'
import type { z } from 'zod'
import { FORBIDDEN } from './forbidden.ts'
import { AGENT_SUSPENDED } from './suspended.ts'
import { VIEW_ONLY } from './view-only.ts'

/** Who may call: everyone, any signed-in account, or accounts that hold the named permission. */
export type Access = 'public' | 'session' | (string & {})

export type OpMeta = {
  permission: Access
  /** Title of the operation-log row; every operation that changes something has one. */
  log?: string
  /** The caller must send an Idempotency-Key; the same key with the same input gets the stored answer. */
  idempotent?: boolean
  /** It leaves nothing that lasts (a puzzle, a mark that one has read): no row in the operation log. */
  ephemeral?: boolean
  /** It waits for an outside service: it is lent no connection and opens its transactions itself (server/system.ts). */
  detached?: boolean
  /** A change that one may make who looks through another's account: the way out of it. */
  whileViewing?: boolean
  /**
   * A change that people of a suspended agency may make: of their own account, of what they look at, and to be heard. 'file': nothing
   * but a file that is taken along, which an API key takes too.
   */
  whileSuspended?: true | 'file'
  /** What is to be asked again after it: features ('ledger') or operations ('merchants.details'). */
  stale?: readonly string[]
  /** In its place: why no page shows anything of it that was asked for before. */
  unshown?: string
  /** What it answers may be some seconds old, and a standby may give it: nothing that money is decided by. */
  mayLag?: true
  /** May be called by an account that must change its password first. */
  beforePassword?: boolean
  /** 'below': reads also the rows of the agents under the acting one. */
  scope?: 'below'
  /**
   * Where the account has a second factor, it must have been proven a few minutes ago: money, keys and who may do what. 'always':
   * where it has none, its password must have been; for what somebody is let in by.
   */
  stepUp?: boolean | 'always'
  /** An account that must set up a second factor first may call it too. */
  enrolment?: boolean
  /** Bytes that its input may have where the usual 256 KiB are too few; nobody without a session that may call it sends so many. */
  bodyMost?: number
  /**
   * Whether an API key may call it, where its permission does not say: keys hold verbs of the tree, and sign in as nobody. 'only':
   * nobody else may, as at the door for point-of-sale software.
   */
  forKeys?: boolean | 'only'
  /** A call with a key leaves a row in the operation log only where it is not let in: what programs ask for a million times a day. */
  unlogged?: true
  /** Its answer has an ETag, and a program that has it is told so (`ctx.request.tag`). */
  tagged?: true
}

type Route = { method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: `/${string}`; summary: string }

export type RefusalTable = Readonly<Record<string, string>>

/** Starts the contract of one operation. GET operations change nothing: the database refuses what one of them would write. */
export function op(meta: OpMeta, route: Route) {
  return oc
    .$meta<OpMeta>(meta)
    .errors(errorsOf(meta.forKeys === 'only' ? forPrograms(meta, route) : COMMON_REFUSALS))
    .route({ ...route, inputStructure: 'compact' })
}

/** Turns a table of refusal codes and messages into the typed errors of an operation (HTTP 409). */
export function errorsOf<T extends RefusalTable>(table: T) {
  return Object.fromEntries(
    Object.entries(table).map(([code, message]) => [code, { status: STATUS[code] ?? 409, message }]),
  ) as { [K in keyof T]: { status: number; message: string } }
}

/** Refusals that any operation can answer. */
export const COMMON_REFUSALS = {
  UNAUTHENTICATED: '登录已失效，请重新登录',
  FORBIDDEN,
  FACTOR_REQUIRED: '请先完成身份验证',
  ENROLMENT_REQUIRED: '请先设置二次验证',
  VIEW_ONLY,
  VIEW_ENDED: '查看已结束',
  AGENT_SUSPENDED,
  PASSWORD_CHANGE_REQUIRED: '请先修改密码',
  INPUT_INVALID: '提交的内容有误，请检查后重试',
  NOT_FOUND: '数据不存在或已被删除',
  STALE: '数据已被他人修改，请刷新后重试',
  KEY_MISSING: '缺少幂等键，请刷新页面后重试',
  KEY_MALFORMED: '幂等键格式有误，请刷新页面后重试',
  KEY_REUSED: '该请求已提交过其他内容，请刷新页面后重试',
  THROTTLED: '操作过于频繁，请稍后再试',
  KEY_REQUIRED: '此接口只能用接口密钥访问',
  KEY_INVALID: '接口密钥无效或已过期',
  KEY_MIXED: '请求同时带有接口密钥和登录会话，请只用其中一种',
  KEY_ADDRESS: '此地址不在接口密钥的允许范围内',
  KEY_HELD: '接口密钥的创建人须先登录，修改密码或设置二次验证',
  KEY_CLOSED: '接口密钥不能使用此接口',
  KEY_STEP_UP: '此操作需要本人当场验证，不能用接口密钥完成',
  KEY_THROTTLED: '接口密钥的请求过于频繁，请稍后再试',
  BUSY: '服务器繁忙，请稍后再试',
  TOO_MANY_AT_ONCE: '同时进行的操作过多，请稍后再试',
  DISK_FULL: '服务器存储空间已满，暂时不能保存，请联系管理员；查询不受影响',
} as const

/** What programs are told of the same: they have no page to load again, and nothing to sign in to. */
const TO_PROGRAMS: Readonly<Partial<Record<keyof typeof COMMON_REFUSALS, string>>> = {
  FORBIDDEN: '接口密钥没有此接口的权限，或其创建人已没有此权限',
  AGENT_SUSPENDED: '密钥所属公司已被厂商暂停，只能读取',
  INPUT_INVALID: '提交的内容与接口描述不符，见 data.field 和 data.issues',
  DISK_FULL: '服务器存储空间已满，暂时不能保存；请稍后用同样的内容再试',
  STALE: '数据已被他人修改，请重新读取，用新的内容再提交',
  KEY_MISSING: '缺少请求头 Idempotency-Key（16 至 64 位字母、数字、- 或 _）',
  KEY_MALFORMED: '请求头 Idempotency-Key 格式有误，须为 16 至 64 位字母、数字、- 或 _',
  KEY_REUSED: '此 Idempotency-Key 已用于其他内容，新的操作须用新的值',
}

/** What only somebody who signs in is answered. */
const OF_PEOPLE: readonly string[] = [
  ...['UNAUTHENTICATED', 'FACTOR_REQUIRED', 'ENROLMENT_REQUIRED', 'PASSWORD_CHANGE_REQUIRED', 'THROTTLED'],
  ...['VIEW_ONLY', 'VIEW_ENDED', 'KEY_CLOSED', 'KEY_STEP_UP'],
]

/** What an operation that is for programs alone can answer: no key of an act where none is asked for, nothing of the past but where it says so. */
function forPrograms(meta: OpMeta, { method, path }: Route): typeof COMMON_REFUSALS {
  const isPossible: Readonly<Record<string, boolean>> = {
    FORBIDDEN: meta.permission !== 'session',
    AGENT_SUSPENDED: method !== 'GET' && !meta.whileSuspended,
    KEY_MISSING: meta.idempotent === true,
    KEY_MALFORMED: meta.idempotent === true,
    KEY_REUSED: meta.idempotent === true,
    NOT_FOUND: path.includes('{'),
    STALE: false,
  }
  const entries = Object.entries(COMMON_REFUSALS).filter(
    ([code]) => !OF_PEOPLE.includes(code) && isPossible[code] !== false,
  )
  return Object.fromEntries(
    entries.map(([code, message]) => [code, toProgram({ code, message })]),
  ) as typeof COMMON_REFUSALS
}

/** What one of them may answer beside, in words for programs. */
export function forProgramsToo<C extends keyof typeof COMMON_REFUSALS>(
  codes: readonly C[],
): Record<C, string> {
  return Object.fromEntries(
    codes.map(code => [code, toProgram({ code, message: COMMON_REFUSALS[code] })]),
  ) as Record<C, string>
}

/** A refusal in words for a program: what speaks of a page asks it to read once more. */
export function toProgram({ code, message }: { code: string; message: string }): string {
  const isCommon = message === COMMON_REFUSALS[code as keyof typeof COMMON_REFUSALS]
  const ours = isCommon ? TO_PROGRAMS[code as keyof typeof COMMON_REFUSALS] : undefined
  return ours ?? message.replace(/请刷新.*$/, '请重新读取后再试')
}

/** What is refused of a request before it is known what it asks for. */
export const REQUEST_REFUSALS = {
  BODY_BROKEN: '请求内容不是有效的 JSON',
  BODY_TYPE: '请求内容须为 JSON（Content-Type: application/json）',
  BODY_TOO_LARGE: '请求内容过大',
  ADDRESS_BROKEN: '请求地址有误',
} as const

const STATUS: Record<string, number> = {
  BODY_BROKEN: 400,
  BODY_TYPE: 415,
  BODY_TOO_LARGE: 413,
  ADDRESS_BROKEN: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  FACTOR_REQUIRED: 403,
  ENROLMENT_REQUIRED: 403,
  VIEW_ONLY: 403,
  VIEW_ENDED: 403,
  AGENT_SUSPENDED: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  INPUT_INVALID: 422,
  NOT_FOUND: 404,
  KEY_MISSING: 400,
  KEY_MALFORMED: 400,
  THROTTLED: 429,
  KEY_REQUIRED: 401,
  KEY_INVALID: 401,
  KEY_MIXED: 400,
  KEY_ADDRESS: 403,
  KEY_HELD: 403,
  KEY_CLOSED: 403,
  KEY_STEP_UP: 403,
  KEY_THROTTLED: 429,
  CURSOR_GONE: 410,
  LOGIN_THROTTLED: 429,
  LOGIN_TOO_SOON: 429,
  BUSY: 503,
  TOO_MANY_AT_ONCE: 429,
  TOO_MANY_OPEN: 429,
  DISK_FULL: 503,
  INTERNAL: 500,
}

/** HTTP status of a refusal code. */
export function statusOf(code: string): number {
  return STATUS[code] ?? 409
}

/**
 * Whether an API key may call it at all, whatever verbs it holds: what the permission tree names, but nothing that asks for a second
 * factor, which a program has not.
 */
export function isForKeys({
  permission,
  stepUp,
  forKeys,
}: Pick<OpMeta, 'permission' | 'stepUp' | 'forKeys'>) {
  if (stepUp) return false
  if (forKeys === undefined) return permission !== 'public' && permission !== 'session'
  return forKeys !== false
}

export type Contract = { readonly [name: string]: AnyContractProcedure }
/** What a verb receives: the input after the contract's parsing. */
export type In<P extends AnyContractProcedure> =
  NonNullable<P['~orpc']['inputSchema']> extends z.ZodType<infer T> ? T : undefined
/** What a verb returns: the output before the contract presents it. */
export type Out<P extends AnyContractProcedure> =
  NonNullable<P['~orpc']['outputSchema']> extends z.ZodType<unknown, infer T> ? T : undefined

export type ListedOp = { name: string; path: string; method: string; meta: OpMeta; op: AnyContractProcedure }

/** All operations of a nested contract with their dotted names; the tests and the documents walk it. */
export function listOps(contract: object, prefix = ''): ListedOp[] {
  return Object.entries(contract).flatMap(([key, value]) => {
    const name = prefix ? `${prefix}.${key}` : key
    if (!isContractProcedure(value)) return listOps(value as object, name)
    const def = value['~orpc']
    return [
      {
        name,
        path: def.route.path ?? '',
        method: def.route.method ?? 'POST',
        meta: def.meta as OpMeta,
        op: value,
      },
    ]
  })
}

/** A file that is streamed to the browser: same session, permission and log as an operation, own transport. */
export type Download<S extends z.ZodType = z.ZodType> = {
  permission: Access
  log: string
  path: `/${string}`
  fileName: string
  /** The field of the input that the file is called after, where it is not the day. */
  calledAfter?: string
  input: S
  scope?: 'below'
  /** What is asked for in people's words, for the log; without it nothing can be chosen. */
  told?(asked: z.infer<S>): readonly (readonly [name: string, text: string])[]
  /** As of an operation; a file of many rows asks for it by itself. */
  stepUp?: true
  /** As of an operation. */
  mayLag?: true
  /** Taking it changes something, as no other download does: a count of who took it. */
  counts?: true
  /** Excel where absent. */
  format?: 'pdf' | 'png' | 'zip'
}
export function download<S extends z.ZodType>(definition: Download<S>): Download<S> {
  return definition
}

/** What a download receives: its query after parsing. */
export type DownloadIn<D extends Download> = z.infer<D['input']>
