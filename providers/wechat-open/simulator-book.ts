// What the simulated platform knows: plain data, so that it can be kept in a file over restarts. Pictures are kept in memory alone, as the
// real service keeps them for three days.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** By its number, with the words that go with it. */
export class Refused extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Token = { token: string; until: number }
/** 1 reviewing, 2 refused, 3 passed. */
type ReviewStatus = 1 | 2 | 3
export type Verdict = 'pass' | 'refuse' | 'delay'
export type Account = {
  appid: string
  userName: string
  principalName: string
  personal: boolean
  verified: boolean
  /** Made by the third party, which may set its name. */
  viaApi: boolean
  authorized: { scopes: number[]; refresh: string; before: Token | null; tokens: Token[] } | null
  nick: { value: string; used: number }
  head: { value: string; used: number; pending: { value: string; dueAt: number } | null }
  signature: { value: string; used: number; pending: { value: string; dueAt: number } | null }
  nameAudits: { id: number; name: string; status: ReviewStatus; reason: string; dueAt: number }[]
  categories: {
    first: number
    second: number
    status: ReviewStatus
    reason: string
    dueAt: number
  }[]
  categoryChanges: number[]
  domains: Record<string, string[]>
  trial: (Code & { at: number; checkedAt: number }) | null
  audits: Audit[]
  releases: (Code & { appVersion: number; at: number })[]
  /** Place in `releases`; -1: nothing is released. */
  live: number
  rolledBack: boolean
  /** By version: 1 live, 2 trial. */
  privacy: Record<
    string,
    { owner: Record<string, string>; uses: { privacy_key: string; privacy_text: string }[] }
  >
  withdrawals: number[]
  testers: { wechat: string; userstr: string }[]
}
export type Code = {
  templateId: number
  version: string
  description: string
  pages: string[]
  used: string[]
}
/** 0 passed, 1 refused, 2 reviewing, 3 withdrawn, 4 delayed. */
export type Audit = {
  id: number
  status: 0 | 1 | 2 | 3 | 4
  reason: string
  screenshots: string[]
  code: Code
  submittedAt: number
  dueAt: number
  spedUp: boolean
  released: boolean
  words: string
}
export type RegistrationTask = {
  id: string
  name: string
  code: string
  codeType: number
  wechat: string
  legalName: string
  phone: string
  /** face: the legal person's turn; checking: the platform's. */
  state: 'face' | 'checking' | 'done' | 'failed'
  faceFailures: number
  createdAt: number
  dueAt: number
  /** What comes of it, where the control plane said so. */
  status: number | null
  appid: string | null
}
export type Book = {
  number: number
  tickets: { ticket: string; at: number }[]
  componentTokens: Token[]
  preAuthCodes: Record<string, { until: number; used: boolean }>
  authCodes: Record<string, { appid: string; until: number; used: boolean }>
  accounts: Record<string, Account>
  registrations: RegistrationTask[]
  quota: { audits: number; auditLimit: number; speedUps: number; speedUpLimit: number }
  ipAllowed: boolean
  /** What the next reviews come to. */
  verdicts: { verdict: Verdict; reason: string }[]
}

export type Media = Map<string, { bytes: Buffer; until: number }>

export const ALL_SCOPES = [17, 18, 19, 25, 30, 37, 40, 49]
const DAY_MS = 24 * 60 * 60 * 1_000
const MEDIA_MS = 3 * DAY_MS

export const idOf = (prefix: string, bytes = 16) => `${prefix}${randomBytes(bytes).toString('hex')}`
const appidOf = () => idOf('wx', 8)

export function newBook(): Book {
  const book: Book = {
    number: 1000,
    tickets: [],
    componentTokens: [],
    preAuthCodes: {},
    authCodes: {},
    accounts: {},
    registrations: [],
    quota: { audits: 0, auditLimit: 500, speedUps: 0, speedUpLimit: 20 },
    ipAllowed: true,
    verdicts: [],
  }
  addAccount(book, { principalName: '上海示例餐饮有限公司', nick: '示例餐厅' })
  addAccount(book, { principalName: '个人', nick: '个人小店', personal: true, verified: false })
  return book
}

export function addAccount(
  book: Book,
  given: {
    principalName: string
    nick?: string
    appid?: string
    personal?: boolean
    verified?: boolean
    viaApi?: boolean
  },
): Account {
  const account: Account = {
    appid: given.appid ?? appidOf(),
    userName: idOf('gh_', 6),
    principalName: given.principalName,
    personal: given.personal ?? false,
    verified: given.verified ?? true,
    viaApi: given.viaApi ?? false,
    authorized: null,
    nick: { value: given.nick ?? '', used: 0 },
    head: { value: '', used: 0, pending: null },
    signature: { value: '', used: 0, pending: null },
    nameAudits: [],
    categories: [],
    categoryChanges: [],
    domains: {},
    trial: null,
    audits: [],
    releases: [],
    live: -1,
    rolledBack: false,
    privacy: {},
    withdrawals: [],
    testers: [],
  }
  book.accounts[account.appid] = account
  return account
}

export function readBook(file: string | null): Book {
  return file !== null && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Book) : newBook()
}

const WRITTEN_BEHIND_MS = 250

/** The file of a book, written a moment behind what changed and at the end, whole or not at all; none is written where `file` is null. */
export function bookFile(file: string | null, book: Book): { changed(): void; close(): void } {
  let waiting: NodeJS.Timeout | null = null
  const write = () => {
    if (file === null) return
    if (waiting !== null) clearTimeout(waiting)
    waiting = null
    writeFileSync(`${file}.new`, JSON.stringify(book), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  // A program that ends without closing what it began.
  if (file !== null) process.once('exit', write)
  return {
    changed() {
      if (file !== null) waiting ??= setTimeout(write, WRITTEN_BEHIND_MS).unref()
    },
    close() {
      write()
      process.removeListener('exit', write)
    },
  }
}

export function keepMedia(media: Media, bytes: Buffer, now: number): string {
  const id = idOf('media_')
  media.set(id, { bytes, until: now + MEDIA_MS })
  return id
}

/** Refuses (`code`) one that is not there, or whose days are over. */
export function mediaOf(media: Media, id: unknown, now: number, code: number): Buffer {
  const found = typeof id === 'string' ? media.get(id) : undefined
  if (!found || found.until <= now) throw new Refused(code, 'invalid media_id')
  return found.bytes
}

/** What the next review comes to: as the control plane announced, else refused where the words say so. */
export function verdictOf(book: Book, words: string): { verdict: Verdict; reason: string } {
  const announced = book.verdicts.shift()
  if (announced) return announced
  return words.includes('驳回')
    ? { verdict: 'refuse', reason: '内容不符合微信小程序运营规范' }
    : { verdict: 'pass', reason: '' }
}

/** Whether reviewers decide something of it by now. */
export function isDue({ audits, nameAudits, categories, head, signature }: Account, now: number): boolean {
  return (
    audits.some(({ status, dueAt }) => status === 2 && dueAt <= now) ||
    [...nameAudits, ...categories].some(({ status, dueAt }) => status === 1 && dueAt <= now) ||
    [head, signature].some(({ pending }) => pending !== null && pending.dueAt <= now)
  )
}

export const sinceDay = (now: number) => now - DAY_MS
export const sinceMonth = (now: number) => now - 30 * DAY_MS
