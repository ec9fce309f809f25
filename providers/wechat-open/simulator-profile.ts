// The simulated platform's side of what a mini program shows of itself: name, picture, intro, categories, domains. Quotas are those that the real
// one tells of; what people there decide waits in a queue.
import {
  type Account,
  type Book,
  type Media,
  mediaOf,
  Refused,
  sinceMonth,
  verdictOf,
} from './simulator-book.ts'
import type { Answer, Input } from './simulator-platform.ts'

export type Moment = { book: Book; media: Media; now: number; reviewMs: number }

const NAME_QUOTA = 2
const PICTURE_QUOTA = 5
const SIGNATURE_QUOTA = 5
const CATEGORY_MOST = 20
const CATEGORY_CHANGES = 20
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function basicInfo(account: Account): Answer {
  const { nick, head, signature } = account
  return {
    appid: account.appid,
    account_type: 2,
    principal_type: account.personal ? 0 : 1,
    principal_name: account.principalName,
    realname_status: 1,
    wx_verify_info: { qualification_verify: account.verified, naming_verify: account.verified },
    nickname: nick.value,
    nickname_info: { nickname: nick.value, modify_used_count: nick.used, modify_quota: NAME_QUOTA },
    head_image_info: {
      head_image_url: head.value,
      modify_used_count: head.used,
      modify_quota: PICTURE_QUOTA,
    },
    signature_info: {
      signature: signature.value,
      modify_used_count: signature.used,
      modify_quota: SIGNATURE_QUOTA,
    },
    customer_type: 1,
    registered_country: 1017,
  }
}

/** Two for a Chinese character. */
const widthOf = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u00ff' ? 2 : 1), 0)

const FORBIDDEN: readonly [word: string, code: number][] = [
  ['国家领导', 53012],
  ['公众号重名', 53013],
  ['同主体公众号', 53015],
  ['同主体小程序', 53016],
  ['同主体冲突', 53017],
  ['微信号', 53018],
  ['保护期', 53019],
  ['占用', 91007],
]

/** Refuses a name that nobody may have. */
function checkForm(book: Book, account: Account, name: string): void {
  const width = widthOf(name)
  if (width < 4 || width > 30 || /[\s<>"'@/\\]/.test(name)) throw new Refused(53010, 'invalid nickname')
  for (const [word, code] of FORBIDDEN) if (name.includes(word)) throw new Refused(code, `nickname: ${word}`)
  const isTaken = Object.values(book.accounts).some(one => one !== account && one.nick.value === name)
  if (isTaken) throw new Refused(53014, 'nickname is used by another mini program')
}

export function checkName({ book }: Moment, account: Account, input: Input): Answer {
  const name = textOf(input.nick_name)
  checkForm(book, account, name)
  const isKey = /银行|医院|学校/.test(name)
  return { hit_condition: isKey, wording: isKey ? '名称含有需要证明材料的词，请提交相关资质' : '' }
}

export function setName({ book, media, now, reviewMs }: Moment, account: Account, input: Input): Answer {
  const name = textOf(input.nick_name)
  if (!account.viaApi) throw new Refused(91001, 'not created by a third party')
  if (account.live >= 0) throw new Refused(91002, 'released before')
  if (account.nameAudits.some(({ status }) => status === 1)) throw new Refused(91019, 'nickname is in review')
  if (account.nick.used >= NAME_QUOTA) throw new Refused(91003, 'no change is left')
  checkForm(book, account, name)
  const naming = Object.entries(input).filter(([key]) => key.startsWith('naming_other_stuff_'))
  for (const [, id] of [...naming, ['', input.license], ['', input.id_card]] as [string, unknown][])
    if (id !== undefined) mediaOf(media, id, now, 46001)
  const wantsPapers = /银行|医院|学校/.test(name)
  if ((!account.personal && input.license === undefined) || (wantsPapers && naming.length === 0))
    throw new Refused(91009, 'materials are needed')
  const id = ++book.number
  account.nameAudits.push({ id, name, status: 1, reason: '', dueAt: now + reviewMs })
  return { wording: '', audit_id: id }
}

export function queryName(account: Account, input: Input): Answer {
  const found = account.nameAudits.find(({ id }) => id === Number(input.audit_id))
  if (!found) throw new Refused(91011, 'no such audit')
  return { nickname: found.name, audit_stat: found.status, fail_reason: found.reason }
}

export function setHead({ media, now, reviewMs }: Moment, account: Account, input: Input): Answer {
  const id = textOf(input.head_img_media_id)
  const edges = [input.x1, input.y1, input.x2, input.y2].map(Number)
  if (edges.some(edge => !(edge >= 0 && edge <= 1))) throw new Refused(40097, 'invalid args')
  mediaOf(media, id, now, 46001)
  if (account.head.pending) throw new Refused(53203, 'in review')
  if (account.head.used >= PICTURE_QUOTA) throw new Refused(53202, 'no quota of this month')
  account.head.used++
  account.head.pending = { value: `https://wx.qlogo.cn/mmhead/${id}`, dueAt: now + reviewMs }
  return {}
}

export function setSignature({ now, reviewMs }: Moment, account: Account, input: Input): Answer {
  const value = textOf(input.signature)
  if (value.length < 4 || value.length > 120) throw new Refused(40097, 'invalid args')
  if (/最好|第一|赌博/.test(value)) throw new Refused(53201, 'hits the black list')
  if (account.signature.pending) throw new Refused(53203, 'in review')
  if (account.signature.used >= SIGNATURE_QUOTA) throw new Refused(53200, 'no quota of this month')
  account.signature.used++
  account.signature.pending = { value, dueAt: now + reviewMs }
  return {}
}

type Offered = { id: number; name: string; father: number; papers: string[][]; companies?: boolean }
/** Some of the real ones, by made-up rules: enough to meet each case. */
const OFFERED: readonly Offered[] = [
  { id: 220, name: '餐饮', father: 0, papers: [] },
  {
    id: 221,
    name: '点餐平台',
    father: 220,
    papers: [['《食品经营许可证》'], ['《增值电信业务经营许可证》']],
  },
  { id: 222, name: '外卖平台', father: 220, papers: [['《增值电信业务经营许可证》']], companies: true },
  { id: 223, name: '餐厅排队', father: 220, papers: [] },
  { id: 224, name: '点评与推荐', father: 220, papers: [] },
  { id: 304, name: '商家自营', father: 0, papers: [] },
  { id: 321, name: '食品', father: 304, papers: [['《食品经营许可证》'], ['《食品生产许可证》']] },
  { id: 307, name: '服饰内衣', father: 304, papers: [] },
  { id: 8, name: '教育', father: 0, papers: [] },
  { id: 39, name: '在线教育', father: 8, papers: [['《办学许可证》', '《备案证明》']] },
  { id: 110, name: '出行与交通', father: 0, papers: [] },
  { id: 111, name: '网约车', father: 110, papers: [] },
  { id: 112, name: '快车/出租车/专车', father: 111, papers: [['《网络预约出租汽车经营许可证》']] },
  { id: 113, name: '顺风车', father: 111, papers: [] },
]

export function allCategories(): Answer {
  return {
    categories_list: {
      categories: OFFERED.map(({ id, name, father, papers }) => ({
        ...{ id, name, father, level: levelOf(id) },
        children: OFFERED.filter(one => one.father === id).map(one => one.id),
        sensitive_type: papers.length > 0 ? 1 : 0,
        qualify: {
          exter_list: papers.map(list => ({ inner_list: list.map(paper => ({ name: paper, url: '' })) })),
        },
      })),
    },
  }
}

const belowOf = (id: number) => OFFERED.filter(one => one.father === id)
function levelOf(id: number): number {
  const father = OFFERED.find(one => one.id === id)?.father ?? 0
  return father === 0 ? 1 : 1 + levelOf(father)
}
const nameOf = (id: number) => OFFERED.find(one => one.id === id)?.name ?? ''

function offeredOf(input: Input): Offered {
  const found = OFFERED.find(
    ({ id, father }) => id === Number(input.second) && father === Number(input.first),
  )
  if (!found || levelOf(found.id) !== 2) throw new Refused(85077, 'category is invalid')
  return found
}

function checkPapers({ media, now }: Moment, offered: Offered, input: Input): void {
  const given = Array.isArray(input.certicates) ? (input.certicates as Input[]) : []
  for (const { value } of given) mediaOf(media, value, now, 46001)
  const names = given.map(({ key }) => key)
  // Of three levels two are named: the papers are those of any below them.
  const last = belowOf(offered.id)
  const isEnough = (last.length === 0 ? [offered] : last).some(
    ({ papers }) => papers.length === 0 || papers.some(all => all.every(one => names.includes(one))),
  )
  if (!isEnough) throw new Refused(53311, 'materials are needed')
}

function countChange({ now }: Moment, account: Account): void {
  account.categoryChanges = account.categoryChanges.filter(at => at > sinceMonth(now))
  if (account.categoryChanges.length >= CATEGORY_CHANGES)
    throw new Refused(53300, 'no change of this month is left')
  account.categoryChanges.push(now)
}

export function addCategories(moment: Moment, account: Account, input: Input): Answer {
  const wanted = Array.isArray(input.categories) ? (input.categories as Input[]) : []
  if (wanted.length === 0) throw new Refused(40097, 'invalid args')
  if (account.categories.length + wanted.length > CATEGORY_MOST)
    throw new Refused(53301, 'too many categories')
  for (const one of wanted) {
    const offered = offeredOf(one)
    if (account.personal && offered.companies) throw new Refused(53302, 'not for this kind of principal')
    if (account.categories.some(({ second }) => second === offered.id))
      throw new Refused(53304, 'added before')
    checkPapers(moment, offered, one)
  }
  countChange(moment, account)
  for (const one of wanted)
    account.categories.push({
      ...{ first: Number(one.first), second: Number(one.second) },
      ...{ status: 1, reason: '', dueAt: moment.now + moment.reviewMs },
    })
  return {}
}

export function modifyCategory(moment: Moment, account: Account, input: Input): Answer {
  const found = account.categories.find(({ second }) => second === Number(input.second))
  if (!found) throw new Refused(53306, 'only materials may be changed')
  if (found.status !== 2) throw new Refused(53307, 'only a refused one may be changed')
  checkPapers(moment, offeredOf(input), input)
  countChange(moment, account)
  Object.assign(found, { status: 1, reason: '', dueAt: moment.now + moment.reviewMs })
  return {}
}

export function deleteCategory(moment: Moment, account: Account, input: Input): Answer {
  const found = account.categories.find(({ second }) => second === Number(input.second))
  if (!found) throw new Refused(85077, 'category is invalid')
  if (found.status === 1) throw new Refused(53308, 'in review')
  countChange(moment, account)
  account.categories = account.categories.filter(one => one !== found)
  return {}
}

export function categories({ now }: Moment, account: Account): Answer {
  const used = account.categoryChanges.filter(at => at > sinceMonth(now)).length
  return {
    categories: account.categories.map(({ first, second, status, reason }) => ({
      ...{ first, second, first_name: nameOf(first), second_name: nameOf(second) },
      ...{ audit_status: status, audit_reason: reason },
    })),
    limit: CATEGORY_CHANGES,
    quota: CATEGORY_CHANGES - used,
    category_limit: CATEGORY_MOST,
  }
}

export function categoriesForAudit(account: Account): Answer {
  return {
    category_list: account.categories
      .filter(({ status }) => status === 3)
      .flatMap(({ first, second }) => {
        const named = {
          ...{ first_class: nameOf(first), first_id: first },
          ...{ second_class: nameOf(second), second_id: second },
        }
        const last = belowOf(second)
        return last.length === 0
          ? [named]
          : last.map(({ id, name }) => ({ ...named, third_class: name, third_id: id }))
      }),
  }
}

const DOMAINS = ['requestdomain', 'wsrequestdomain', 'uploaddomain', 'downloaddomain'] as const

export function modifyDomain(account: Account, input: Input): Answer {
  if (input.action === 'get')
    return Object.fromEntries(DOMAINS.map(name => [name, account.domains[name] ?? []]))
  if (input.action !== 'set') throw new Refused(40097, 'invalid action')
  const given = Object.fromEntries(DOMAINS.map(name => [name, listOf(input[name])]))
  for (const [name, list] of Object.entries(given))
    if (list.some(one => !one.startsWith(name === 'wsrequestdomain' ? 'wss://' : 'https://')))
      throw new Refused(40097, 'invalid domain')
  Object.assign(account.domains, given)
  return given
}

export function setWebview(account: Account, input: Input): Answer {
  if (input.action !== 'set') throw new Refused(40097, 'invalid action')
  account.domains.webviewdomain = listOf(input.webviewdomain)
  return {}
}

const listOf = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])

type Tell = (name: string, account: Account, fields: Record<string, string | number>) => void

/** What people there decide by now. */
export function settleProfile({ book, now }: Moment, account: Account, tell: Tell): void {
  for (const audit of account.nameAudits) {
    if (audit.status !== 1 || audit.dueAt > now) continue
    const { verdict, reason } = verdictOf(book, audit.name)
    audit.status = verdict === 'pass' ? 3 : 2
    audit.reason = reason
    if (verdict === 'pass') account.nick = { value: audit.name, used: account.nick.used + 1 }
    tell('wxa_nickname_audit', account, { ret: audit.status, nickname: audit.name, reason })
  }
  for (const one of account.categories) {
    if (one.status !== 1 || one.dueAt > now) continue
    const { verdict, reason } = verdictOf(book, '')
    one.status = verdict === 'pass' ? 3 : 2
    one.reason = reason
    const { first, second } = one
    tell('wxa_category_audit', account, { ret: one.status, first, second, reason })
  }
  for (const part of [account.head, account.signature]) {
    if (!part.pending || part.pending.dueAt > now) continue
    if (verdictOf(book, part.pending.value).verdict === 'pass') part.value = part.pending.value
    part.pending = null
  }
}
