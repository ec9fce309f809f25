// What the simulated WeChat Pay's onboarding keeps: applications, the merchants that came of them, pictures by their hash, and calls.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { PaperProblem } from '#providers/simulated-ocr.ts'
import { randomText } from './simulator-keys.ts'
import type { Counter, Said } from './simulator-onboarding-form.ts'
import { Refused, shanghai } from './simulator-orders.ts'

export const STATE_WORDS = {
  EDITTING: '编辑中',
  AUDITING: '审核中',
  REJECTED: '已驳回',
  TO_BE_CONFIRMED: '待账户验证',
  TO_BE_SIGNED: '待签约',
  SIGNING: '开通权限中',
  FINISHED: '已完成',
  CANCELED: '已作废',
} as const
export type SimState = keyof typeof STATE_WORDS

export type SimRefusal = { field: string; field_name: string; reject_reason: string }
export type SimApplication = {
  mchid: string
  businessCode: string
  applymentId: number
  signKey: string
  state: SimState
  /** When the state was entered. */
  since: number
  refusals: SimRefusal[]
  subMchid: string
  said: Said
}
type Kept = {
  applications: SimApplication[]
  merchants: SimMerchant[]
  media: [id: string, picture: SimPicture][]
}

export type SimAccount = {
  type: string
  bank: string
  branchName: string
  branchNumber: string
  number: string
}
export type SimChange = { changeId: string; account: SimAccount; at: number; refusal: string | null }
export type SimMerchant = {
  mchid: string
  subMchid: string
  mayBePersonal: boolean
  account: SimAccount
  changes: SimChange[]
}

type SimPicture = { mchid: string; sha256: string; problem: PaperProblem | null }
export type OnboardingBook = {
  file: string | null
  applications: Map<string, SimApplication>
  merchants: Map<string, SimMerchant>
  media: Map<string, SimPicture>
  calls: Map<string, number[]>
  /** Of one service provider; more are refused. */
  callsASecond: number
  reviewMs: number
  signingMs: number
  changeMs: number
  /** How the next changes of an account end. */
  changeRefusals: (string | null)[]
  /** A merchant was opened for the service provider `mchid`. */
  opened(mchid: string, subMchid: string): void
}

export function makeOnboardingBook(
  options: Omit<OnboardingBook, 'applications' | 'merchants' | 'media' | 'calls' | 'changeRefusals'>,
): OnboardingBook {
  const { file } = options
  const kept: Kept =
    file !== null && existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Kept)
      : { applications: [], merchants: [], media: [] }
  for (const { mchid, subMchid } of kept.merchants) options.opened(mchid, subMchid)
  return {
    ...options,
    applications: new Map(kept.applications.map(one => [keyOf(one.mchid, one.businessCode), one])),
    merchants: new Map(kept.merchants.map(one => [one.subMchid, one])),
    media: new Map(kept.media),
    calls: new Map(),
    changeRefusals: [],
  }
}

export function keep({ file, applications, merchants, media }: OnboardingBook): void {
  if (file === null) return
  const kept: Kept = {
    applications: [...applications.values()],
    merchants: [...merchants.values()],
    media: [...media],
  }
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 })
}

export const keyOf = (mchid: string, businessCode: string) => `${mchid}/${businessCode}`

export function countCall(book: OnboardingBook, mchid: string, now: Date): void {
  const at = now.getTime()
  const last = (book.calls.get(mchid) ?? []).filter(one => one > at - 1000)
  if (last.length >= book.callsASecond) throw new Refused(403, 'RATE_LIMITED', '频率限制，请降低调用频率')
  book.calls.set(mchid, [...last, at])
}

export function keepPicture(book: OnboardingBook, picture: SimPicture): string {
  const id = randomText(80)
  book.media.set(id, picture)
  keep(book)
  return id
}

export type Desk = { mchid: string; decrypt: Counter['decrypt']; now: Date }

export const counterOf = (book: OnboardingBook, { mchid, decrypt, now }: Desk): Counter => ({
  decrypt,
  hasPicture: id => book.media.get(id)?.mchid === mchid,
  today: dayOf(now),
})

export const dayOf = (now: Date) => shanghai(now).slice(0, 10)
