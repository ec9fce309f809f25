// The simulated platform's side of the third party: tickets, tokens, authorisation and registration. It takes the token's name of older pages
// and of current ones.
import {
  type Account,
  ALL_SCOPES,
  addAccount,
  type Book,
  idOf,
  Refused,
  type RegistrationTask,
} from './simulator-book.ts'

export type Input = Record<string, unknown>
export type Answer = Record<string, unknown>

const TICKET_MS = 12 * 60 * 60_000
const TOKEN_MS = 7_200_000
const OVERLAP_MS = 5 * 60_000
const PRE_AUTH_MS = 1_800_000
const AUTH_CODE_MS = 3_600_000
const FACE_MS = 24 * 60 * 60_000

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export type Secrets = { appid: string; secret: string }

export function newTicket(book: Book, now: number): string {
  const ticket = idOf('ticket@@@', 24)
  book.tickets = [...book.tickets.filter(({ at }) => at + TICKET_MS > now), { ticket, at: now }].slice(-100)
  return ticket
}

export function componentToken(book: Book, secrets: Secrets, input: Input, now: number): Answer {
  if (input.component_appid !== secrets.appid) throw new Refused(40013, 'invalid appid')
  if (input.component_appsecret !== secrets.secret) throw new Refused(40125, 'invalid appsecret')
  const found = book.tickets.find(({ ticket }) => ticket === input.component_verify_ticket)
  if (!found) throw new Refused(61006, 'component ticket is invalid')
  if (found.at + TICKET_MS <= now) throw new Refused(61005, 'component ticket is expired')
  const token = idOf('ct_', 32)
  // The one of before lives on a little.
  for (const one of book.componentTokens) one.until = Math.min(one.until, now + OVERLAP_MS)
  book.componentTokens = [
    ...book.componentTokens.filter(one => one.until > now),
    { token, until: now + TOKEN_MS },
  ]
  return { component_access_token: token, expires_in: TOKEN_MS / 1_000 }
}

export function checkComponent(book: Book, token: string, now: number): void {
  const found = book.componentTokens.find(one => one.token === token)
  if (!found) throw new Refused(40001, 'invalid credential, access_token is invalid or not latest')
  if (found.until <= now) throw new Refused(42001, 'access_token expired')
}

/** The account whose token it is. */
export function accountByToken(book: Book, token: string, now: number): Account {
  for (const account of Object.values(book.accounts)) {
    const found = account.authorized?.tokens.find(one => one.token === token)
    if (!found) continue
    if (found.until <= now) throw new Refused(42001, 'access_token expired')
    return account
  }
  throw new Refused(40001, 'invalid credential, access_token is invalid or not latest')
}

export function preAuthCode(book: Book, now: number): Answer {
  const code = idOf('preauthcode@@@', 24)
  book.preAuthCodes[code] = { until: now + PRE_AUTH_MS, used: false }
  return { pre_auth_code: code, expires_in: PRE_AUTH_MS / 1_000 }
}

/** Why the page cannot be opened; null: it can. */
export function preAuthProblem(book: Book, code: string, now: number): string | null {
  const found = book.preAuthCodes[code]
  if (!found) return '预授权码无效'
  if (found.used) return '预授权码已使用，请返回重新发起授权'
  return found.until <= now ? '预授权码已过期，请返回重新发起授权' : null
}

/** The owner has agreed, for the first time or to other scopes: a code to trade. */
export function authorizeAccount(book: Book, account: Account, scopes: number[], now: number): string {
  account.authorized = { refresh: '', before: null, tokens: [], ...account.authorized, scopes }
  const code = idOf('queryauthcode@@@', 24)
  book.authCodes[code] = { appid: account.appid, until: now + AUTH_CODE_MS, used: false }
  return code
}

const funcInfo = (scopes: readonly number[]) => scopes.map(id => ({ funcscope_category: { id } }))

export function queryAuth(book: Book, input: Input, now: number): Answer {
  const found = book.authCodes[textOf(input.authorization_code)]
  if (!found || found.used) throw new Refused(61009, 'invalid authorization code')
  if (found.until <= now) throw new Refused(61010, 'code is expired')
  const account = book.accounts[found.appid]
  if (!account?.authorized) throw new Refused(61003, 'component is not authorized by this account')
  found.used = true
  const { token, refresh } = newTokens(account.authorized, now)
  return {
    authorization_info: {
      authorizer_appid: account.appid,
      authorizer_access_token: token,
      expires_in: TOKEN_MS / 1_000,
      authorizer_refresh_token: refresh,
      func_info: funcInfo(account.authorized.scopes),
    },
  }
}

function newTokens(authorized: NonNullable<Account['authorized']>, now: number) {
  const [token, refresh] = [idOf('at_', 32), idOf('refreshtoken@@@', 24)]
  authorized.before = authorized.refresh ? { token: authorized.refresh, until: now + OVERLAP_MS } : null
  authorized.refresh = refresh
  for (const one of authorized.tokens) one.until = Math.min(one.until, now + OVERLAP_MS)
  authorized.tokens = [
    ...authorized.tokens.filter(one => one.until + TOKEN_MS > now),
    { token, until: now + TOKEN_MS },
  ].slice(-10)
  return { token, refresh }
}

export function authorizerToken(book: Book, input: Input, now: number): Answer {
  const account = book.accounts[textOf(input.authorizer_appid)]
  const { authorized } = account ?? {}
  if (!authorized) throw new Refused(61003, 'component is not authorized by this account')
  const given = textOf(input.authorizer_refresh_token)
  const isBefore = authorized.before?.token === given && authorized.before.until > now
  if (given === '' || (given !== authorized.refresh && !isBefore))
    throw new Refused(61023, 'refresh_token is invalid')
  const { before } = authorized
  const { token, refresh } = newTokens(authorized, now)
  // Whoever has not heard of the newer one may ask again, as long as the one of before lives.
  if (isBefore) authorized.before = before
  return {
    authorizer_access_token: token,
    expires_in: TOKEN_MS / 1_000,
    authorizer_refresh_token: refresh,
  }
}

export function authorizerInfo(book: Book, input: Input): Answer {
  const account = book.accounts[textOf(input.authorizer_appid)]
  if (!account?.authorized) throw new Refused(61003, 'component is not authorized by this account')
  return {
    authorizer_info: {
      nick_name: account.nick.value,
      head_img: account.head.value,
      user_name: account.userName,
      principal_name: account.principalName,
      signature: account.signature.value,
      service_type_info: { id: 0 },
      verify_type_info: { id: account.verified ? 0 : -1 },
      MiniProgramInfo: { network: account.domains, visit_status: 0 },
    },
    authorization_info: {
      authorizer_appid: account.appid,
      func_info: funcInfo(account.authorized.scopes),
    },
  }
}

const CODE_FORMS: Readonly<Record<number, RegExp>> = {
  1: /^[0-9A-HJ-NPQRTUWXY]{18}$/,
  2: /^[0-9A-Z]{8}-?[0-9X]$/,
  3: /^\d{15}$/,
}

export function register(book: Book, input: Input, now: number): Answer {
  const task = {
    name: textOf(input.name),
    code: textOf(input.code),
    codeType: Number(input.code_type),
    wechat: textOf(input.legal_persona_wechat),
    legalName: textOf(input.legal_persona_name),
    phone: textOf(input.component_phone),
  }
  if ([task.name, task.code, task.wechat, task.legalName].includes(''))
    throw new Refused(89253, 'param missing')
  const form = CODE_FORMS[task.codeType]
  if (!form) throw new Refused(89248, 'invalid code type')
  if (!form.test(task.code)) throw new Refused(89255, 'code param invalid')
  if (!/^[A-Za-z][\w-]{5,19}$/.test(task.wechat)) throw new Refused(86004, 'invalid wechat')
  if (task.wechat.endsWith('_other')) throw new Refused(61070, 'name and wechat name not in accordance')
  const before = book.registrations.find(one => one.code === task.code && one.createdAt + FACE_MS > now)
  if (before && (before.state === 'face' || before.state === 'checking'))
    throw new Refused(89249, 'task running')
  book.registrations.push({
    ...task,
    id: idOf('task_', 8),
    state: 'face',
    faceFailures: 0,
    createdAt: now,
    dueAt: now + FACE_MS,
    status: null,
    appid: null,
  })
  return {}
}

export function searchRegistration(book: Book, input: Input): Answer {
  const task = book.registrations.findLast(
    one =>
      one.name === input.name &&
      one.wechat === input.legal_persona_wechat &&
      one.legalName === input.legal_persona_name,
  )
  if (task?.state === 'face') throw new Refused(89251, 'waiting for the legal person')
  if (task?.state === 'checking') throw new Refused(89252, 'front check running')
  if (task?.state !== 'done') throw new Refused(89250, 'task not found')
  return {}
}

/** The legal person before the camera. */
export function faceCheck(
  task: RegistrationTask,
  outcome: 'pass' | 'fail',
  now: number,
  checkMs: number,
): string {
  if (task.state !== 'face') throw new Error('该任务已结束，或不在等待人脸核身')
  if (outcome === 'fail') {
    task.faceFailures++
    return '人脸核身未通过，请重试'
  }
  task.state = 'checking'
  task.dueAt = now + checkMs
  return '人脸核身通过，微信正在校验信息'
}

/** By words in the company's name, where the control plane has not said. */
const STATUSES: readonly [word: string, status: number][] = [
  ['注销', 101],
  ['不存在', 102],
  ['法人不符', 103],
  ['证件不符', 104],
  ['未更新', 105],
  ['不一致', 1000],
  ['上限', 1001],
  ['黑名单', 1002],
]

/** Of one whose time has come: what is told of it, or null. */
export function endRegistration(book: Book, task: RegistrationTask, now: number) {
  if (task.state === 'face') {
    task.state = 'failed'
    return told(task, task.status ?? (task.faceFailures > 0 ? 100_002 : 100_001), null)
  }
  const status = task.status ?? STATUSES.find(([word]) => task.name.includes(word))?.[1] ?? 0
  if (status !== 0) {
    task.state = 'failed'
    return told(task, status, null)
  }
  const account = addAccount(book, { principalName: task.name, viaApi: true, verified: false })
  task.state = 'done'
  task.appid = account.appid
  return told(task, 0, { appid: account.appid, code: authorizeAccount(book, account, [...ALL_SCOPES], now) })
}

function told(task: RegistrationTask, status: number, made: { appid: string; code: string } | null) {
  return {
    InfoType: 'notify_third_fasteregister',
    ...(made ? { appid: made.appid, auth_code: made.code } : {}),
    status,
    msg: status === 0 ? 'OK' : 'failed',
    info: {
      name: task.name,
      code: task.code,
      code_type: task.codeType,
      legal_persona_wechat: task.wechat,
      legal_persona_name: task.legalName,
      component_phone: task.phone,
    },
  }
}
