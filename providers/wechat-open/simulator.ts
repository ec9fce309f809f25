// WeChat's open platform on loopback, for a third party: it checks tokens, scopes and fields, keeps registrations, reviews and audits by its clock, and
// sends encrypted messages. It shares no code with the client.
//
// Different from the real service, as far as that is known: owners authorise without scanning; offered categories, templates and quotas are few and its
// own; a name with 驳回 in it is refused by its reviewer, and so is an audit whose words have it; a code of authorisation is traded once; a released
// version's code is a plain QR code. What it knows is kept in a file where one is named, but for pictures.
// Control plane of its /__sim/: `accounts` (GET; POST {principalName, nick?, personal?, viaApi?}), `face` (a page; POST {task, outcome: pass|fail}),
// `registrations` (GET; POST {name, status}), `verdicts` (POST [{verdict: pass|refuse|delay, reason}], what the next reviews come to), `decide` (POST
// {auditId, verdict, reason}), `settle` (POST: what is due is decided and told), `quota` (POST {auditLimit?, speedUpLimit?}), `ticket` (POST),
// `ip` (POST {allowed}), `void` (POST {appid?}: tokens end), `unauthorize` (POST {appid}), `sent`, and `faults` and `clock` as everywhere.
import { randomBytes } from 'node:crypto'
import {
  type Control,
  json,
  type RunningSimulator,
  type SimAnswer,
  type SimRequest,
  startSimulator,
} from '../simulator.ts'
import {
  type Account,
  ALL_SCOPES,
  addAccount,
  type Book,
  bookFile,
  isDue,
  keepMedia,
  type Media,
  mediaOf,
  Refused,
  readBook,
  type Verdict,
} from './simulator-book.ts'
import * as code from './simulator-code.ts'
import { makePosts, type Posts } from './simulator-messages.ts'
import { authorizePage, facePage, page, problemPage } from './simulator-pages.ts'
import * as platform from './simulator-platform.ts'
import * as profile from './simulator-profile.ts'

export type WechatOpenKeys = { appid: string; secret: string; token: string; encodingAesKey: string }
export type WechatOpenSimulator = RunningSimulator & {
  setEventUrls(urls: { platform: string; program: (appid: string) => string }): void
  /** Decides and tells what is due by its clock, and waits until all that was told has been brought. */
  settle(): Promise<void>
  pushTicket(): string
  /** An owner agrees on the page; answers the code that comes back. */
  authorize(appid: string, scopes?: readonly number[]): string
  addAccount(given: Parameters<typeof addAccount>[1]): Account
  book(): Book
  sent: Posts['sent']
}
export type WechatOpenOptions = {
  /** Keeps what it knows over restarts. */
  file?: string | null
  reviewMs?: number
  auditMs?: number
  /** Of the privacy check after a commit, and of the company's data after the face check. */
  checkMs?: number
  /** What the pauses between repeated messages are multiplied by. */
  callbackScale?: number
}

export function makeWechatOpenKeys(): WechatOpenKeys {
  const letters = () =>
    randomBytes(48)
      .toString('base64')
      .replace(/[^A-Za-z0-9]/g, 'x')
      .slice(0, 43)
  return {
    appid: `wx${randomBytes(8).toString('hex')}`,
    secret: randomBytes(16).toString('hex'),
    token: randomBytes(12).toString('hex'),
    encodingAesKey: letters(),
  }
}

/** What the client must be told to speak to the simulator that runs at `url`. */
export function wechatOpenSettings(keys: WechatOpenKeys, url: string) {
  return { ...keys, baseUrl: url, screenUrl: url, phoneUrl: url }
}

type Moment = profile.Moment
type Endpoint = {
  method: 'GET' | 'POST'
  /** Of the third party: no token, or its own. Else the number of the scope that the owner must have given. */
  under: 'nobody' | 'component' | number
  answer(at: Called): platform.Answer | Buffer | Promise<platform.Answer | Buffer>
}
type Called = Moment & {
  input: platform.Input
  request: SimRequest
  keys: WechatOpenKeys
  options: Required<WechatOpenOptions>
  /** Not of a call of the third party's. */
  account: Account
}

const [CODES, DEVELOPMENT, BASICS] = [17, 18, 30]
const get = (under: Endpoint['under'], answer: Endpoint['answer']): Endpoint => ({
  method: 'GET',
  under,
  answer,
})
const post = (under: Endpoint['under'], answer: Endpoint['answer']): Endpoint => ({
  method: 'POST',
  under,
  answer,
})

const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  '/cgi-bin/component/api_start_push_ticket': post('nobody', at => startTickets(at)),
  '/cgi-bin/component/api_component_token': post('nobody', ({ book, keys, input, now }) =>
    platform.componentToken(book, keys, input, now),
  ),
  '/cgi-bin/component/api_create_preauthcode': post('component', ({ book, now }) =>
    platform.preAuthCode(book, now),
  ),
  '/cgi-bin/component/api_query_auth': post('component', ({ book, input, now }) =>
    platform.queryAuth(book, input, now),
  ),
  '/cgi-bin/component/api_authorizer_token': post('component', ({ book, input, now }) =>
    platform.authorizerToken(book, input, now),
  ),
  '/cgi-bin/component/api_get_authorizer_info': post('component', ({ book, input }) =>
    platform.authorizerInfo(book, input),
  ),
  '/cgi-bin/component/fastregisterweapp': post('component', ({ book, input, request, now }) =>
    request.query.get('action') === 'search'
      ? platform.searchRegistration(book, input)
      : platform.register(book, input, now),
  ),
  '/wxa/gettemplatelist': get('component', () => code.templateList()),

  '/cgi-bin/account/getaccountbasicinfo': get(BASICS, ({ account }) => profile.basicInfo(account)),
  '/cgi-bin/wxverify/checkwxverifynickname': post(BASICS, at => profile.checkName(at, at.account, at.input)),
  '/wxa/setnickname': post(BASICS, at => profile.setName(at, at.account, at.input)),
  '/wxa/api_wxa_querynickname': post(BASICS, at => profile.queryName(at.account, at.input)),
  '/cgi-bin/account/modifyheadimage': post(BASICS, at => profile.setHead(at, at.account, at.input)),
  '/cgi-bin/account/modifysignature': post(BASICS, at => profile.setSignature(at, at.account, at.input)),
  '/cgi-bin/media/upload': post(BASICS, upload),
  '/cgi-bin/media/get': get(BASICS, ({ media, request, now }) =>
    mediaOf(media, request.query.get('media_id'), now, 40007),
  ),
  '/cgi-bin/wxopen/getallcategories': get(BASICS, () => profile.allCategories()),
  '/cgi-bin/wxopen/getcategory': get(BASICS, at => profile.categories(at, at.account)),
  '/cgi-bin/wxopen/addcategory': post(BASICS, at => profile.addCategories(at, at.account, at.input)),
  '/cgi-bin/wxopen/modifycategory': post(BASICS, at => profile.modifyCategory(at, at.account, at.input)),
  '/cgi-bin/wxopen/deletecategory': post(BASICS, at => profile.deleteCategory(at, at.account, at.input)),

  '/wxa/get_category': get(DEVELOPMENT, ({ account }) => profile.categoriesForAudit(account)),
  '/wxa/modify_domain': post(DEVELOPMENT, ({ account, input }) => profile.modifyDomain(account, input)),
  '/wxa/setwebviewdomain': post(DEVELOPMENT, ({ account, input }) => profile.setWebview(account, input)),
  '/wxa/commit': post(DEVELOPMENT, at => code.commit(at, at.account, at.input, at.options.checkMs)),
  '/wxa/get_qrcode': get(DEVELOPMENT, ({ account, request }) =>
    code.trialCode(account, request.query.get('path') ?? ''),
  ),
  '/wxa/getversioninfo': post(DEVELOPMENT, ({ account }) => code.versionInfo(account)),
  '/wxa/security/get_code_privacy_info': get(DEVELOPMENT, at => code.codePrivacy(at, at.account)),
  '/cgi-bin/component/setprivacysetting': post(DEVELOPMENT, ({ account, input }) =>
    code.setPrivacy(account, input),
  ),
  '/cgi-bin/component/getprivacysetting': post(DEVELOPMENT, ({ account, input }) =>
    code.getPrivacy(account, input),
  ),
  '/wxa/submit_audit': post(DEVELOPMENT, at =>
    code.submitAudit(at, at.account, at.input, at.options.auditMs),
  ),
  '/wxa/get_auditstatus': post(DEVELOPMENT, ({ account, input }) => code.auditStatus(account, input)),
  '/wxa/get_latest_auditstatus': get(DEVELOPMENT, ({ account }) => code.latestAudit(account)),
  '/wxa/undocodeaudit': get(DEVELOPMENT, at => code.undoAudit(at, at.account)),
  '/wxa/speedupaudit': post(DEVELOPMENT, at => code.speedUp(at, at.account, at.input)),
  '/wxa/queryquota': get(DEVELOPMENT, at => code.queryQuota(at)),
  '/wxa/release': post(DEVELOPMENT, at => code.release(at, at.account, at.request.body)),
  '/wxa/revertcoderelease': get(DEVELOPMENT, ({ account, request }) => code.rollBack(account, request.query)),
  '/wxa/getwxacode': post(CODES, ({ account, input }) => code.liveCode(account, input)),
  '/wxa/bind_tester': post(DEVELOPMENT, ({ account, input }) => code.bindTester(account, input)),
  '/wxa/unbind_tester': post(DEVELOPMENT, ({ account, input }) => code.unbindTester(account, input)),
  '/wxa/memberauth': post(DEVELOPMENT, ({ account }) => code.testers(account)),
}
/** Where owners authorise, on a screen and on a phone. */
const PAGES = ['/cgi-bin/componentloginpage', '/wxaopen/safe/bindcomponent']
const PAGE = 'authorize-page'
const TICKETS_EVERY_MS = 10 * 60_000
const LOOK_EVERY_MS = 250
const CODE_LIVES_S = 3_600
const PICTURE_MOST = 2 * 1024 * 1024

export async function startWechatOpenSimulator(
  keys: WechatOpenKeys,
  given: WechatOpenOptions = {},
  port = 0,
): Promise<WechatOpenSimulator> {
  const options = {
    file: null,
    reviewMs: 20_000,
    auditMs: 30_000,
    checkMs: 5_000,
    callbackScale: 1,
    ...given,
  }
  const book = readBook(options.file)
  const media: Media = new Map()
  const plane = (): Control => running.control
  const posts = makePosts(keys, plane, options.callbackScale)
  const now = () => plane().now().getTime()
  const moment = (): Moment => ({ book, media, now: now(), reviewMs: options.reviewMs })
  const seconds = () => Math.floor(now() / 1_000)
  const { changed, close } = bookFile(options.file, book)

  const toPlatform = (InfoType: string, fields: Parameters<Posts['push']>[2]) =>
    posts.push(InfoType, null, { AppId: keys.appid, CreateTime: seconds(), InfoType, ...fields })
  const tell = (Event: string, account: Account, fields: Record<string, string | number>) => {
    // Nothing is told to whom the owner no longer authorises.
    if (!account.authorized) return
    const head = { ToUserName: account.userName, FromUserName: `o${randomBytes(8).toString('hex')}` }
    posts.push(Event, account, { ...head, CreateTime: seconds(), MsgType: 'event', Event, ...fields })
  }
  const pushTicket = () => {
    const ticket = platform.newTicket(book, now())
    changed()
    toPlatform('component_verify_ticket', { ComponentVerifyTicket: ticket })
    return ticket
  }
  const authorize = (appid: string, scopes: readonly number[] = ALL_SCOPES) => {
    const account = book.accounts[appid]
    if (!account) throw new Error('没有这个小程序')
    const isFirst = account.authorized === null
    const authCode = platform.authorizeAccount(book, account, [...scopes], now())
    toPlatform(isFirst ? 'authorized' : 'updateauthorized', {
      AuthorizerAppid: appid,
      AuthorizationCode: authCode,
      AuthorizationCodeExpiredTime: seconds() + CODE_LIVES_S,
      PreAuthCode: '',
    })
    changed()
    return authCode
  }

  let settling: Promise<void> = Promise.resolve()
  const settleOnce = async () => {
    const last = book.tickets.at(-1)
    if (last && last.at + TICKETS_EVERY_MS <= now()) pushTicket()
    for (const task of book.registrations)
      if ((task.state === 'face' || task.state === 'checking') && task.dueAt <= now()) {
        const { InfoType, ...fields } = platform.endRegistration(book, task, now())
        toPlatform(InfoType, fields)
        changed()
      }
    for (const account of Object.values(book.accounts)) {
      if (!isDue(account, now())) continue
      profile.settleProfile(moment(), account, tell)
      await code.settleAudits(moment(), account, tell)
      changed()
    }
  }
  /** One after the other, so that nothing is decided twice. */
  const settle = () => {
    settling = settling.then(settleOnce)
    return settling
  }
  const looking = setInterval(() => {
    settle().catch((error: Error) => process.stderr.write(`simulator: ${error.stack}\n`))
  }, LOOK_EVERY_MS).unref()

  async function handle(name: string, request: SimRequest, control: Control): Promise<SimAnswer> {
    if (name === PAGE) return answerPage(request)
    try {
      await settle()
      const endpoint = ENDPOINTS[request.path] as Endpoint
      if (!book.ipAllowed)
        throw new Refused(endpoint.under === 'nobody' ? 40164 : 61004, 'invalid ip, not in whitelist')
      if (control.take('token-revoked', name)) throw new Refused(40001, 'invalid credential')
      if (control.take('quota-exhausted', name)) throw new Refused(45009, 'reach max api daily quota limit')
      const at = { ...moment(), request, keys, options, input: inputOf(request) }
      const account = accountFor(endpoint.under, request, at)
      const answer = await endpoint.answer({ ...at, account: account as Account })
      if (request.path.endsWith('start_push_ticket')) pushTicket()
      changed()
      if (Buffer.isBuffer(answer))
        return { status: 200, headers: { 'content-type': 'image/png' }, body: answer }
      return json({ errcode: 0, errmsg: 'ok', ...answer })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return refusal(error.code, error.message)
    }
  }

  /** The account whose token the call bears; null of the third party's own. */
  function accountFor(under: Endpoint['under'], { query }: SimRequest, at: Moment): Account | null {
    if (under === 'nobody') return null
    if (under === 'component') {
      platform.checkComponent(
        at.book,
        query.get('component_access_token') ?? query.get('access_token') ?? '',
        at.now,
      )
      return null
    }
    const account = platform.accountByToken(at.book, query.get('access_token') ?? '', at.now)
    if (!account.authorized?.scopes.includes(under))
      throw new Refused(61007, 'api is unauthorized to component')
    return account
  }

  function answerPage(request: SimRequest): SimAnswer {
    const { query } = request
    const preAuth = query.get('pre_auth_code') ?? ''
    if (query.get('component_appid') !== keys.appid) return problemPage('第三方平台不存在')
    const problem = platform.preAuthProblem(book, preAuth, now())
    if (problem !== null) return problemPage(problem)
    const back = URL.parse(query.get('redirect_uri') ?? '')
    if (!back || !/^(127\.0\.0\.1|localhost)$/.test(back.hostname))
      return problemPage('回调地址的域名与第三方平台登记的不一致')
    if (request.method !== 'POST') return authorizePage(request.target, Object.values(book.accounts))
    const form = new URLSearchParams(request.body.toString('utf8'))
    const scopes = form.getAll('scope').map(Number)
    const appid = form.get('appid') ?? ''
    if (!book.accounts[appid]) return problemPage('请选择小程序')
    const found = book.preAuthCodes[preAuth]
    if (found) found.used = true
    back.searchParams.set('auth_code', authorize(appid, scopes))
    back.searchParams.set('expires_in', String(CODE_LIVES_S))
    return { status: 302, headers: { location: back.toString() } }
  }

  async function answerControl(path: string, request: SimRequest): Promise<SimAnswer | null> {
    const isPost = request.method === 'POST'
    if (path === 'face') return answerFace(request)
    if (path === 'accounts' && !isPost) return json({ accounts: Object.values(book.accounts) })
    if (path === 'registrations' && !isPost) return json({ registrations: book.registrations })
    if (path === 'sent') return json({ sent: posts.sent })
    if (!isPost) return null
    const input = inputOf(request)
    const done = async (value: object = {}) => {
      await settle()
      return json(value)
    }
    switch (path) {
      case 'accounts':
        return done(addAccount(book, input as unknown as Parameters<typeof addAccount>[1]))
      case 'registrations': {
        const task = book.registrations.findLast(({ name }) => name === input.name)
        if (!task) return json({ message: 'no such registration' }, 404)
        task.status = Number(input.status)
        return done()
      }
      case 'verdicts':
        book.verdicts.push(...(JSON.parse(request.body.toString('utf8')) as Book['verdicts']))
        return done()
      case 'decide': {
        for (const account of Object.values(book.accounts))
          for (const audit of account.audits)
            if (audit.id === Number(input.auditId)) {
              const verdict = { verdict: input.verdict as Verdict, reason: String(input.reason ?? '') }
              await code.decideAudit(moment(), account, audit, verdict, tell)
              return done()
            }
        return json({ message: 'no such audit' }, 404)
      }
      case 'settle':
        await settle()
        await posts.settled()
        return json({})
      case 'quota':
        Object.assign(book.quota, input)
        return done(book.quota)
      case 'ticket':
        return done({ ticket: pushTicket() })
      case 'ip':
        book.ipAllowed = input.allowed !== false
        return done()
      case 'void': {
        const tokens = input.appid
          ? (book.accounts[String(input.appid)]?.authorized?.tokens ?? [])
          : book.componentTokens
        for (const token of tokens) token.until = Math.min(token.until, now())
        return done()
      }
      case 'unauthorize': {
        const account = book.accounts[String(input.appid)]
        if (!account) return json({ message: 'no such account' }, 404)
        account.authorized = null
        toPlatform('unauthorized', { AuthorizerAppid: account.appid })
        return done()
      }
      default:
        return null
    }
  }

  async function answerFace(request: SimRequest): Promise<SimAnswer> {
    if (request.method !== 'POST') return facePage(book.registrations)
    const text = request.body.toString('utf8')
    const isJson = /json/.test(request.headers['content-type'] ?? '')
    const input = isJson
      ? (JSON.parse(text) as Record<string, string>)
      : Object.fromEntries(new URLSearchParams(text))
    const task = book.registrations.find(({ id }) => id === input.task)
    if (!task) return page('无法核身', '<p role="alert">没有这个注册任务</p>', 404)
    try {
      const outcome = input.outcome === 'fail' ? 'fail' : 'pass'
      const words = platform.faceCheck(task, outcome, now(), options.checkMs)
      changed()
      return isJson ? json({ message: words }) : facePage(book.registrations, words)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return isJson ? json({ message: error.message }, 409) : facePage(book.registrations, error.message)
    }
  }

  const running = await startSimulator(
    {
      nameOf: ({ path, method }) => {
        if (PAGES.includes(path)) return PAGE
        return ENDPOINTS[path]?.method === method ? (path.split('/').at(-1) ?? null) : null
      },
      handle,
      errorOf: (number, message) => refusal(Number(number), message),
      control: answerControl,
      async stop() {
        clearInterval(looking)
        posts.stop()
        await settling
        close()
      },
    },
    port,
  )
  return {
    ...running,
    sent: posts.sent,
    setEventUrls(urls) {
      posts.setUrls(urls)
      pushTicket()
    },
    async settle() {
      await settle()
      await posts.settled()
    },
    pushTicket,
    authorize,
    addAccount: one => addAccount(book, one),
    book: () => book,
  }
}

/** With the number to ask about, as the real one has it. */
function refusal(errcode: number, message: string): SimAnswer {
  return json({
    errcode,
    errmsg: `${message} rid: ${randomBytes(4).toString('hex')}-${randomBytes(4).toString('hex')}`,
  })
}

function inputOf({ body, method }: SimRequest): platform.Input {
  if (method !== 'POST' || body.length === 0 || body[0] !== 0x7b) return {}
  try {
    return JSON.parse(body.toString('utf8')) as platform.Input
  } catch {
    throw new Refused(47001, 'data format error')
  }
}

function startTickets({ keys, input }: Called): platform.Answer {
  if (input.component_appid !== keys.appid) throw new Refused(40013, 'invalid appid')
  if (input.component_secret !== keys.secret) throw new Refused(40125, 'invalid appsecret')
  return {}
}

/** One file of a form. */
function upload({ request, media, now }: Called): platform.Answer {
  const boundary = /boundary="?([^";]+)/.exec(request.headers['content-type'] ?? '')?.[1]
  const { body } = request
  const [start, end] = [body.indexOf('\r\n\r\n') + 4, body.lastIndexOf(`\r\n--${boundary}`)]
  const head = body.subarray(0, start).toString('utf8')
  if (!boundary || end < start || !/name="media"; filename="/.test(head))
    throw new Refused(41005, 'media data missing')
  const bytes = Buffer.from(body.subarray(start, end))
  if (bytes.length > PICTURE_MOST) throw new Refused(40009, 'invalid file size')
  const isPicture = bytes.subarray(1, 4).toString() === 'PNG' || (bytes[0] === 0xff && bytes[1] === 0xd8)
  if (!isPicture) throw new Refused(40005, 'invalid file type')
  return { type: 'image', media_id: keepMedia(media, bytes, now), created_at: Math.floor(now / 1_000) }
}
