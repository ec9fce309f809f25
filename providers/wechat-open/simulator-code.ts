// The simulated platform's side of a mini program's code: templates, privacy, audits, releases, testers and codes to scan.

import { encode } from 'uqr'
import {
  type Account,
  type Audit,
  type Code,
  keepMedia,
  mediaOf,
  Refused,
  sinceDay,
  sinceMonth,
  verdictOf,
} from './simulator-book.ts'
import type { Answer, Input } from './simulator-platform.ts'
import type { Moment } from './simulator-profile.ts'

type Template = { id: number; version: string; tag: string; pages: string[]; used: string[] }
const PAGES = ['pages/index/index', 'pages/order/order']
const TEMPLATES: readonly Template[] = [
  { id: 1, version: '1.0.0', tag: 'minApp', pages: [...PAGES], used: ['UserInfo'] },
  { id: 2, version: '2.1.0', tag: 'order', pages: [...PAGES], used: ['UserInfo', 'PhoneNumber'] },
  { id: 3, version: '2.2.0', tag: 'scan', pages: [...PAGES, 'pages/scan/scan'], used: ['Location'] },
  { id: 4, version: '1.4.0', tag: 'education', pages: [...PAGES], used: [] },
]
const TEMPLATES_SINCE = Date.UTC(2026, 0, 1)
const TESTERS_MOST = 15
const SPED_UP_DIVISOR = 10
const WITHDRAWALS_A_DAY = 5
const WITHDRAWALS_A_MONTH = 10
const CONTACTS = ['contact_email', 'contact_phone', 'contact_qq', 'contact_weixin']

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const seconds = (ms: number) => Math.floor(ms / 1_000)

export function templateList(): Answer {
  return {
    template_list: TEMPLATES.map(({ id, version, tag }) => ({
      ...{ template_id: id, user_version: version, user_desc: tag, template_type: 0 },
      create_time: seconds(TEMPLATES_SINCE),
    })),
  }
}

export function commit({ now }: Moment, account: Account, input: Input, checkMs: number): Answer {
  const template = TEMPLATES.find(({ id }) => id === Number(input.template_id))
  if (!template) throw new Refused(85064, 'template not found')
  const version = textOf(input.user_version)
  if (version === '' || version.length > 64) throw new Refused(40097, 'invalid user_version')
  checkSettings(template, textOf(input.ext_json))
  const { id: templateId, pages, used } = template
  const code = { templateId, version, description: textOf(input.user_desc), pages, used }
  account.trial = { ...code, at: now, checkedAt: now + checkMs }
  return {}
}

/** Its `ext_json`. */
function checkSettings({ pages }: Template, text: string): void {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refused(85048, 'ext_json is not parsed')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refused(85013, 'invalid ext_json')
  const settings = value as {
    pages?: unknown
    extPages?: object
    tabBar?: { list?: { pagePath?: string }[] }
  }
  if (Array.isArray(settings.pages) && settings.pages.length === 0)
    throw new Refused(85047, 'pages are empty')
  const named = [
    ...(Array.isArray(settings.pages) ? settings.pages : []),
    ...Object.keys(settings.extPages ?? {}),
  ]
  if (named.some(page => !pages.includes(String(page)))) throw new Refused(85045, 'no such page in ext_json')
  if (settings.tabBar?.list?.some(({ pagePath }) => !pagePath))
    throw new Refused(85046, 'tabBar without pagePath')
  if (text.length > 200_000) throw new Refused(85044, 'code is too large')
}

const isChecked = (account: Account, now: number) => account.trial !== null && account.trial.checkedAt <= now

function withoutDeclaration(account: Account): string[] {
  const declared = (account.privacy['2']?.uses ?? []).map(({ privacy_key }) => privacy_key)
  return (account.trial?.used ?? []).filter(key => !declared.includes(key))
}

export function codePrivacy({ now }: Moment, account: Account): Answer {
  if (!account.trial) throw new Refused(86001, 'no code was committed')
  if (!isChecked(account, now)) throw new Refused(61039, 'privacy check is not finished')
  return { without_auth_list: [], without_conf_list: withoutDeclaration(account) }
}

export function setPrivacy(account: Account, input: Input): Answer {
  const version = String(input.privacy_ver ?? 2)
  const owner = (input.owner_setting ?? {}) as Record<string, string>
  const uses = (Array.isArray(input.setting_list) ? input.setting_list : []) as {
    privacy_key: string
    privacy_text: string
  }[]
  if (version !== '1' && version !== '2') throw new Refused(86071, 'invalid privacy_ver')
  if (!CONTACTS.some(name => owner[name]) || !owner.notice_method)
    throw new Refused(86071, 'invalid owner_setting')
  if (owner.store_expire_timestamp !== undefined && !/^\d+天$/.test(owner.store_expire_timestamp))
    throw new Refused(86071, 'invalid store_expire_timestamp')
  if (uses.some(({ privacy_key, privacy_text }) => !privacy_key || !privacy_text))
    throw new Refused(86071, 'invalid setting_list')
  const used = version === '2' ? account.trial?.used : account.releases[account.live]?.used
  if (used && uses.some(({ privacy_key }) => !used.includes(privacy_key)))
    throw new Refused(87072, 'declares what the code does not use')
  account.privacy[version] = { owner, uses }
  return {}
}

export function getPrivacy(account: Account, input: Input): Answer {
  const version = String(input.privacy_ver ?? 2)
  const code = version === '2' ? account.trial : account.releases[account.live]
  const set = account.privacy[version]
  return {
    code_exist: code ? 1 : 0,
    privacy_list: code?.used ?? [],
    setting_list: set?.uses ?? [],
    owner_setting: set?.owner ?? {},
  }
}

export function submitAudit(moment: Moment, account: Account, input: Input, auditMs: number): Answer {
  const { book, media, now } = moment
  const { trial } = account
  if (!trial) throw new Refused(85086, 'no code was committed')
  if (!isChecked(account, now)) throw new Refused(61039, 'privacy check is not finished')
  if (account.audits.some(({ status }) => status === 2 || status === 4))
    throw new Refused(85009, 'in audit already')
  if (!account.nick.value || !account.head.value || !account.signature.value)
    throw new Refused(86002, 'nickname, head image or signature is missing')
  checkItems(account, trial.pages, input.item_list)
  if (textOf(input.feedback_info).length > 200) throw new Refused(40097, 'feedback_info is too long')
  for (const id of textOf(input.feedback_stuff).split('|').filter(Boolean)) mediaOf(media, id, now, 46001)
  if (input.privacy_api_not_use !== true && withoutDeclaration(account).length > 0)
    throw new Refused(61040, 'privacy interfaces without declaration')
  if (book.quota.audits >= book.quota.auditLimit) throw new Refused(85085, 'no audit of this month is left')
  book.quota.audits++
  const { checkedAt: _, at: __, ...code } = trial
  const audit: Audit = {
    id: ++book.number,
    ...{ status: 2, reason: '', screenshots: [], code },
    ...{ submittedAt: now, dueAt: now + auditMs, spedUp: false, released: false },
    words: `${textOf(input.version_desc)} ${textOf(input.feedback_info)}`,
  }
  account.audits.push(audit)
  return { auditid: audit.id }
}

function checkItems(account: Account, pages: readonly string[], given: unknown): void {
  const items = Array.isArray(given) ? (given as Input[]) : []
  if (items.length < 1 || items.length > 5) throw new Refused(85023, 'one to five items')
  for (const item of items) {
    if ([item.address, item.title, item.first_class, item.second_class].some(one => !one))
      throw new Refused(85010, 'item_list has empty fields')
    const tags = textOf(item.tag).split(' ').filter(Boolean)
    if (tags.length > 10 || tags.some(tag => tag.length > 20)) throw new Refused(85006, 'invalid tag')
    if (!pages.includes(textOf(item.address))) throw new Refused(85007, 'invalid address')
    if (textOf(item.title).length > 32) throw new Refused(85011, 'invalid title')
    if (!account.categories.some(({ second, status }) => second === Number(item.second_id) && status === 3))
      throw new Refused(85008, 'category is not approved')
  }
}

const told = (audit: Audit) => ({
  status: audit.status,
  reason: audit.reason,
  user_version: audit.code.version,
  user_desc: audit.code.description,
  submit_audit_time: seconds(audit.submittedAt),
})

export function auditStatus(account: Account, input: Input): Answer {
  const audit = account.audits.find(({ id }) => id === Number(input.auditid))
  if (!audit) throw new Refused(85012, 'invalid audit id')
  return { ...told(audit), screenshot: audit.screenshots.join('|') }
}

export function latestAudit(account: Account): Answer {
  const audit = account.audits.at(-1)
  if (!audit) throw new Refused(85012, 'invalid audit id')
  return { auditid: String(audit.id), ...told(audit), ScreenShot: audit.screenshots.join('|') }
}

export function undoAudit({ now }: Moment, account: Account): Answer {
  const audit = account.audits.find(({ status }) => status === 2 || status === 4)
  if (!audit) throw new Refused(85012, 'nothing is in audit')
  const inMonth = account.withdrawals.filter(at => at > sinceMonth(now))
  const inDay = inMonth.filter(at => at > sinceDay(now))
  if (inDay.length >= WITHDRAWALS_A_DAY || inMonth.length >= WITHDRAWALS_A_MONTH)
    throw new Refused(87013, 'no withdrawal is left')
  account.withdrawals = [...inMonth, now]
  audit.status = 3
  return {}
}

export function speedUp({ book, now }: Moment, account: Account, input: Input): Answer {
  const audit = account.audits.find(({ id }) => id === Number(input.auditid))
  if (audit?.status !== 2) throw new Refused(89402, 'not in the queue')
  if (audit.spedUp) throw new Refused(89404, 'sped up already')
  if (book.quota.speedUps >= book.quota.speedUpLimit) throw new Refused(89405, 'no speed-up is left')
  book.quota.speedUps++
  audit.spedUp = true
  audit.dueAt = now + Math.floor((audit.dueAt - now) / SPED_UP_DIVISOR)
  return {}
}

export function queryQuota({ book: { quota } }: Moment): Answer {
  return {
    rest: quota.auditLimit - quota.audits,
    limit: quota.auditLimit,
    speedup_rest: quota.speedUpLimit - quota.speedUps,
    speedup_limit: quota.speedUpLimit,
  }
}

export function release({ book, now }: Moment, account: Account, body: Buffer): Answer {
  if (body.toString('utf8').trim() !== '{}') throw new Refused(47001, 'data format error')
  const audit = account.audits.at(-1)
  if (!audit) throw new Refused(85019, 'no version is in audit')
  if (audit.status !== 0) throw new Refused(85020, 'audit status not allowed')
  if (audit.released) throw new Refused(85052, 'released already')
  audit.released = true
  account.releases.push({ ...audit.code, appVersion: ++book.number, at: now })
  account.live = account.releases.length - 1
  account.rolledBack = false
  if (account.privacy['2']) account.privacy['1'] = account.privacy['2']
  return {}
}

export function rollBack(account: Account, query: URLSearchParams): Answer {
  const before = account.releases.slice(0, Math.max(account.live, 0))
  if (query.get('action') === 'get_history_version')
    return {
      version_list: before.map(one => ({
        ...{ app_version: one.appVersion, user_version: one.version, user_desc: one.description },
        commit_time: seconds(one.at),
      })),
    }
  const number = query.get('app_version')
  const to = number === null ? before.length - 1 : before.findIndex(one => one.appVersion === Number(number))
  if (to < 0 || account.rolledBack) throw new Refused(87012, 'version cannot be rolled back to')
  account.live = to
  account.rolledBack = true
  return {}
}

export function versionInfo(account: Account): Answer {
  const { trial } = account
  const live = account.releases[account.live]
  return {
    ...(trial
      ? { exp_info: { exp_time: seconds(trial.at), exp_version: trial.version, exp_desc: trial.description } }
      : {}),
    ...(live
      ? {
          release_info: {
            ...{ release_time: seconds(live.at), release_version: live.version },
            release_desc: live.description,
          },
        }
      : {}),
  }
}

export function bindTester(account: Account, input: Input): Answer {
  const wechat = textOf(input.wechatid)
  if (!/^[A-Za-z][\w-]{5,19}$/.test(wechat)) throw new Refused(85001, 'wechat id not found')
  if (account.testers.some(one => one.wechat === wechat)) throw new Refused(85004, 'bound already')
  if (wechat.endsWith('_busy')) throw new Refused(85003, 'bound to too many')
  if (account.testers.length >= TESTERS_MOST) throw new Refused(85002, 'too many testers')
  const userstr = Buffer.from(`${account.appid}:${wechat}`).toString('base64url')
  account.testers.push({ wechat, userstr })
  return { userstr }
}

export function unbindTester(account: Account, input: Input): Answer {
  const isOne = (one: Account['testers'][number]) =>
    one.wechat === input.wechatid || one.userstr === input.userstr
  if (!account.testers.some(isOne)) throw new Refused(85001, 'wechat id not found')
  account.testers = account.testers.filter(one => !isOne(one))
  return {}
}

export const testers = (account: Account): Answer => ({
  members: account.testers.map(({ userstr }) => ({ userstr })),
})

const codeText = (account: Account, kind: 'trial' | 'live', { version }: Code, path: string) =>
  `https://mp.weixin.qq.com/a/~~${account.appid}~~${kind}~~${version}~~${path}`

export function trialCode(account: Account, path: string): Promise<Buffer> {
  if (!account.trial) throw new Refused(86001, 'no code was committed')
  const page = path === '' ? account.trial.pages[0] : path.split('?')[0]
  if (!account.trial.pages.includes(page ?? '')) throw new Refused(85007, 'invalid path')
  return qrPng(codeText(account, 'trial', account.trial, path || (page ?? '')), 430)
}

export function liveCode(account: Account, input: Input): Promise<Buffer> {
  const live = account.releases[account.live]
  if (!live) throw new Refused(85086, 'nothing is released')
  const [path, width] = [textOf(input.path), Number(input.width ?? 430)]
  if (!live.pages.includes(path.split('?')[0] ?? '')) throw new Refused(85007, 'invalid path')
  if (!(width >= 280 && width <= 1_280)) throw new Refused(40097, 'invalid width')
  return qrPng(codeText(account, 'live', live, path), width)
}

/** Any reader decodes it; the real one of a released version is round, and WeChat alone reads it. */
async function qrPng(text: string, width: number): Promise<Buffer> {
  const { data, size } = encode(text, { border: 4 })
  const points = Buffer.from(data.flat().map(isDark => (isDark ? 0 : 255)))
  const { default: sharp } = await import('sharp')
  return sharp(points, { raw: { width: size, height: size, channels: 1 } })
    .resize(width, width, { kernel: 'nearest' })
    .png()
    .toBuffer()
}

type Tell = (name: string, account: Account, fields: Record<string, string | number>) => void

/** What the reviewers of code decide by now; a delayed one is decided by the control plane alone. */
export async function settleAudits(moment: Moment, account: Account, tell: Tell): Promise<void> {
  for (const audit of account.audits)
    if (audit.status === 2 && audit.dueAt <= moment.now)
      await decideAudit(moment, account, audit, verdictOf(moment.book, audit.words), tell)
}

export async function decideAudit(
  { media, now }: Moment,
  account: Account,
  audit: Audit,
  { verdict, reason }: ReturnType<typeof verdictOf>,
  tell: Tell,
): Promise<void> {
  audit.reason = reason
  if (verdict === 'pass') {
    audit.status = 0
    tell('weapp_audit_success', account, { SuccTime: seconds(now) })
    return
  }
  audit.status = verdict === 'delay' ? 4 : 1
  if (verdict === 'delay') {
    tell('weapp_audit_delay', account, { Reason: reason, DelayTime: seconds(now), ScreenShot: '' })
    return
  }
  audit.screenshots = [keepMedia(media, await screenshotOf(audit), now)]
  const ScreenShot = audit.screenshots.join('|')
  tell('weapp_audit_fail', account, { Reason: reason, FailTime: seconds(now), ScreenShot })
}

/** What the reviewer saw, as a picture. */
async function screenshotOf(audit: Audit): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="375" height="320"><rect width="375" height="320" fill="#ededed"/>
<rect y="0" width="375" height="44" fill="#ffffff"/><rect x="24" y="80" width="327" height="120" fill="#ffffff" stroke="#fa5151" stroke-width="4"/>
<text x="24" y="260" font-size="20" fill="#fa5151">audit ${audit.id}</text></svg>`
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png().toBuffer()
}
