// What the office asks of an acquirer that takes shops in by its protocol (进件): pictures, an application under a request number of ours,
// and what came of it. Nothing is told by callback. What a form of it wants is said by its record (`acquirers.ts`).
import type { AcquirerPaper, AcquirerSource } from './acquirers.ts'
import type { AccountChangeState, AccountKind } from './onboarding.ts'

export type AcquirerApplication = {
  /** Ours, up to 32 letters and digits: handed in again under the same one, it is the same application. */
  requestNo: string
  /** The acquirer's number in an application that it refused, which is mended by this one; null: a new application. */
  refusedMerchant: string | null
  /** With whole numbers; `category` is the acquirer's own code of it. */
  known: Readonly<Record<AcquirerSource, string>>
  /** Where the shop is, six digits of the national table. */
  district: string
  /** What `upload` answered. */
  pictures: Readonly<Partial<Record<AcquirerPaper, string>>>
}
/** Another account for a merchant's money, of the subject itself or of its legal person. */
export type AcquirerAccountChange = {
  /** Ours, up to 32 letters and digits: handed in again under the same one, it is the same change. */
  requestNo: string
  /** The acquirer's number of the merchant. */
  merchant: string
  kind: AccountKind
  holder: string
  number: string
  /** Of the legal person; empty with an account of the subject. */
  idNumber: string
  branchName: string
  /** Of the bank's branch (联行号), 12 digits. */
  branchNumber: string
  /** The paper of the account, and what `upload` answered of it. */
  picture: { paper: AcquirerPaper; name: string }
}

/** Names of ours for what a refusal is about. */
export type AcquirerRefusedField = AcquirerSource | AcquirerPaper | 'other'
export type AcquirerReasons = Partial<Record<AcquirerRefusedField, string>>

/** `merchant`: the acquirer's number; empty where it has given none. */
export type AcquirerStanding =
  | { state: 'reviewing'; merchant: string }
  | { state: 'opened'; merchant: string }
  | { state: 'refused'; merchant: string; reasons: AcquirerReasons }

/**
 * data: whoever filled it in mends it. later: the same again. account: the vendor's account or settings there. `words` in Chinese, for
 * people; `reasons` of what is to be mended.
 */
export type AcquirerTrouble = { turn: 'data' | 'later' | 'account'; words: string; reasons: AcquirerReasons }

/**
 * Each call rejects with ProviderRefused (`troubleOf` says it in words) or ProviderUnknown; after the latter of `submit` or
 * `changeAccount` it is handed in again under the same number.
 */
export type AcquirerOnboardingDesk = {
  /** A JPEG or PNG of at most so many bytes is taken. */
  readonly pictureBytesMax: number
  /** Answers the acquirer's name of the picture. */
  upload(paper: AcquirerPaper, picture: Buffer): Promise<string>
  submit(application: AcquirerApplication): Promise<{ applicationId: string; merchant: string }>
  ask(applicationId: string): Promise<AcquirerStanding>
  /** Of a merchant that was taken on. Answers the number to ask about the change by. */
  changeAccount(change: AcquirerAccountChange): Promise<{ changeId: string }>
  askChange(changeId: string): Promise<{ state: AccountChangeState; reason: string }>
  troubleOf(refused: { code: string; message: string }): AcquirerTrouble
}
