// What the product asks of outside services, one interface per capability. The rooms in providers/ speak the protocols.
// Money is whole fen everywhere; instants are ISO texts in UTC.

import type { AcquirerOnboardingDesk } from './acquirer-onboarding.ts'
import type { AcquirerDesk } from './acquirer-pay.ts'
import type { AcquirerName } from './acquirers.ts'
import type { PayChannelName } from './channels.ts'
import type { CredentialStore, MiniProgramPlatform } from './mini-programs.ts'
import type { OcrName, OcrProblem } from './ocr.ts'
import type { OnboardingDesk } from './onboarding.ts'
import type { PosService } from './pos-service.ts'
import type { Connection, NeededSetting } from './setup.ts'
import type { SignatureDesk, SmsProviderName } from './signature-desk.ts'

/** The provider answered, and said no: its own code and words, and the number to ask its support about. */
export class ProviderRefused extends Error {
  readonly code: string
  readonly reference: string
  constructor(code: string, message: string, reference = '') {
    super(message)
    this.name = 'ProviderRefused'
    this.code = code
    this.reference = reference
  }
}

/** Refused for now, as for too many calls: nothing was done, and the same call may be made again later. */
export class ProviderBusy extends ProviderRefused {}

/** What a payer brought to prove who it is works no longer, or never did; nothing was ordered. */
export class PayerRefused extends ProviderRefused {}

/** No believable answer: time-out, cut connection, server error, an answer that cannot be verified. It may have happened: ask, never repeat blindly. */
export class ProviderUnknown extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'ProviderUnknown'
  }
}

/** Something was answered that does not verify with the keys we hold: forged, or ours are not the right ones. */
export class ProviderUnverified extends ProviderUnknown {
  readonly what: 'answer' | 'certificates'
  /** What the answer says of itself, for what that is worth. */
  readonly code: string
  constructor(message: string, what: ProviderUnverified['what'], code = '', cause?: unknown) {
    super(message, cause)
    this.what = what
    this.code = code
  }
}

/** The provider's own answer, in another form than is agreed: asking again does not help, mending it does. */
export class ProviderUnreadable extends ProviderUnknown {}

/** A callback or receipt that is not the provider's: forged, stale, or (content) for somebody else or not readable. */
export class CallbackRejected extends Error {
  readonly reason: 'signature' | 'stale' | 'content'
  constructor(message: string, reason: CallbackRejected['reason'] = 'content') {
    super(message)
    this.name = 'CallbackRejected'
    this.reason = reason
  }
}

/** What every adapter is given beside its credentials; tests pass their own. */
export type Surroundings = {
  fetch: typeof fetch
  now: () => Date
  /** Unguessable letters and digits. */
  nonce: () => string
  timeoutMs: number
}

export type PayOrder = {
  /** Our number, 6 to 32 letters and digits, unique per attempt. The same number is always sent with the same content. */
  outTradeNo: string
  amountFen: number
  subject: string
  expiresAt: string
  notifyUrl: string
}

/** waiting: nobody has paid (also: nobody has scanned). refunded: it was paid and went back, wholly or in part. */
export type PaymentState = 'waiting' | 'paid' | 'closed' | 'failed' | 'refunded'
export type PaymentFact = {
  outTradeNo: string
  state: PaymentState
  transactionId: string | null
  amountFen: number | null
  /** ISO 4217; CNY where the provider has no other. */
  currency: string
  paidAt: string | null
  /** Masked or opaque. */
  payer: string | null
  /** The provider's own name of the state. */
  providerState: string
}
export type RefundOrder = {
  outTradeNo: string
  refundNo: string
  refundFen: number
  totalFen: number
  reason: string
  notifyUrl: string
}
export type RefundFact = {
  outTradeNo: string
  refundNo: string
  state: 'done' | 'processing' | 'failed' | 'none'
  providerState: string
  /** ISO instant at which it was done, where the provider says it. */
  doneAt?: string | undefined
}

/** What a verified callback says. `eventId` is the provider's own and the same for a repeated callback. */
export type PayCallback = { eventId: string; occurredAt: string } & (
  | { kind: 'payment'; fact: PaymentFact }
  | { kind: 'refund'; fact: RefundFact }
)

/** One line of the provider's bill of a day. */
export type BillLine = {
  kind: 'payment' | 'refund'
  outTradeNo: string
  transactionId: string
  refundNo: string | null
  /** Of the payment, or of the refund. */
  amountFen: number
  at: string
}

/** Kept; not kept by a fault of ours; or rejected, since whoever sent it is not the channel. What is not kept comes again. */
export type CallbackAnswered = 'kept' | 'failed' | 'rejected'

/**
 * A channel of payment. Each call rejects with ProviderRefused or ProviderUnknown. Repeating `create` with the same content
 * is safe and answers a code that can be paid.
 */
export type PayChannel = {
  readonly name: PayChannelName
  /** Answers what to show as a QR code, or to open on the payer's phone where the channel allows that. */
  create(order: PayOrder): Promise<{ codeUrl: string }>
  /** What the browser of the channel's app needs to pay in place; the payer by the code of the page's authorization. */
  inApp?: {
    /** Where the page sends its visitor, to come back with `code`. */
    authorizeUrl(returnUrl: string, state: string): string
    pay(order: PayOrder, code: string): Promise<Record<string, string>>
  }
  query(outTradeNo: string): Promise<PaymentFact>
  /** 'paid' where it was paid before it could be closed. */
  close(outTradeNo: string): Promise<'closed' | 'paid'>
  refund(order: RefundOrder): Promise<RefundFact>
  queryRefund(outTradeNo: string, refundNo: string): Promise<RefundFact>
  /** Verifies and reads a callback by its raw bytes; rejects with CallbackRejected. */
  readCallback(headers: Record<string, string | undefined>, body: Buffer): Promise<PayCallback>
  /** The answer that tells the provider that the callback was kept, or (null) that it was not. */
  answerCallback(outcome: CallbackAnswered): { status: number; type: string; body: string }
  /** The bill of a day of Asia/Shanghai, `YYYY-MM-DD`; empty where nothing was paid. */
  bill(day: string): Promise<BillLine[]>
  /** Whether the service knows these keys; `probe` is an order that was never made, under a number of its own. Never rejects. */
  check(probe: PayOrder): Promise<KeysCheck>
}

/** unknown: the service gave no answer that could be believed. */
export type KeysCheck = {
  result: 'right' | 'wrong' | 'unknown'
  /** In Chinese: what is wrong, and in which field. */
  words: string
}

/** A key that was given cannot be read; the message says in Chinese which. */
export class KeyUnreadable extends Error {}

/** A channel made of what an agent gave of its own account, by the names of `kit/ports/channels.ts`. Throws KeyUnreadable. */
export type OwnPay = (values: Readonly<Record<string, string>>) => PayChannel

/** Settings by their names without the room's prefix. `need` throws in words where there is none. */
export type SettingsReader = { need(name: string): string; may(name: string): string | undefined }
/** How a channel is connected; any setting that begins with `prefix` says that it is wanted. */
export type PayRoom<Settings> = {
  prefix: string
  /** Where it is reached unless a setting says otherwise, by that setting's name without the prefix. */
  addresses?: Readonly<Record<string, string>>
  /** What `read` asks for where nothing more is given than it must be. */
  needs: readonly NeededSetting[]
  read(settings: SettingsReader): Settings
  make(settings: Settings, surroundings: Surroundings): PayChannel
  /**
   * The settings of an agent's own account, of what it gave; where the service is comes from the environment, or from the
   * simulator's settings while one stands in. Throws KeyUnreadable. Absent: this channel pays the vendor alone.
   */
  own?(values: Readonly<Record<string, string>>, settings: SettingsReader, simulator?: Settings): Settings
  /** Opens merchant accounts for shops under this account; null where it may not. Absent: the channel opens none. */
  onboarding?(settings: Settings, surroundings: Surroundings): OnboardingDesk | null
}

export type { SmsProviderName }
/** A template's variables in their order. */
export type SmsParams = readonly { name: string; value: string }[]
export type SmsMessage = {
  /** Ours, unique; comes back with the receipt. */
  reference: string
  /** A mainland mobile number, 11 digits. */
  phone: string
  /** Its own variables in place of the batch's: every message of a batch has such, or none has. */
  params?: SmsParams
}
export type SmsBatch = {
  signature: string
  /** The provider's code of the template. */
  template: string
  /** One set for all messages without their own. */
  params: SmsParams
  /** No phone twice. At most `batchMax`, or `ownParamsMax` where they have variables of their own. */
  messages: readonly SmsMessage[]
  /** Ours, for this call; comes back with the receipt. */
  batchReference: string
}
export type SmsAnswer = {
  reference: string
  /** The provider's number of the message or its batch, where it took it. */
  providerId: string | null
  /** Null where it was taken. */
  refusal: { code: string; message: string } | null
  /** Segments it will be charged as, where the provider says so at once. */
  segments: number | null
}
export type SmsReceipt = {
  providerId: string
  phone: string
  batchReference: string | null
  delivered: boolean
  /** The carrier's code and words. */
  code: string
  message: string
  segments: number | null
  reportedAt: string
}
export type SmsDetail = {
  phone: string
  providerId: string | null
  batchReference: string | null
  state: 'waiting' | 'failed' | 'delivered'
  code: string
  sentAt: string
}

/** A service that sends SMS. `send` rejects with ProviderUnknown when it may have been sent: then ask, never send again. */
export type SmsSender = {
  readonly name: SmsProviderName
  /** Messages of one call that share their variables. */
  readonly batchMax: number
  /** Messages of one call with variables of their own; 0: the service has no such call. */
  readonly ownParamsMax: number
  send(batch: SmsBatch): Promise<SmsAnswer[]>
  /** Whether a call that was refused with this code may have been refused for one of its messages alone. */
  mayBlameOne(batch: SmsBatch, code: string): boolean
  /** What the provider knows of one phone on a day of Asia/Shanghai. */
  details(phone: string, day: string, providerId: string | null): Promise<SmsDetail[]>
  /** Rejects with CallbackRejected. The provider signs nothing: whoever calls guards the address by a secret. */
  readReceipts(body: Buffer): SmsReceipt[]
  readonly receiptsKept: { status: number; type: string; body: string }
}

/** A third party's slide puzzle. True: a person. Rejects with ProviderUnknown where the service does not answer. */
export type CaptchaVerifier = {
  readonly name: 'geetest' | 'tencent'
  verify(proof: Record<string, string>, ip: string): Promise<boolean>
}

export type { OcrName, OcrProblem }
export type CardSide = 'front' | 'back'

/** Nothing was read. `arrears`: the service wants to be paid first. Other refusals are those of wrong settings. */
export class OcrRefused extends ProviderRefused {
  readonly problem: OcrProblem | 'arrears'
  constructor(problem: OcrRefused['problem'], code: string, message: string, reference = '') {
    super(code, message, reference)
    this.problem = problem
  }
}

/** How a paper says that it does not end. */
export const LONG_TERM = '长期'
/** Days are YYYY-MM-DD, or LONG_TERM for `validTo`; sex is 男 or 女. `confidence`: 0 to 1. */
export type OcrField = { value: string; confidence: number }
export type LicenceField =
  | 'number'
  | 'name'
  | 'legalPerson'
  | 'address'
  | 'establishedOn'
  | 'validFrom'
  | 'validTo'
/** The front has name to address, the back authority and term. */
export type IdCardField =
  | 'name'
  | 'sex'
  | 'birthDate'
  | 'address'
  | 'idNumber'
  | 'authority'
  | 'validFrom'
  | 'validTo'
/** The side with the number. */
export type BankCardField = 'number' | 'bankName'
export type OcrReading<Field extends string> = {
  /** What was not found is absent. */
  fields: Partial<Record<Field, OcrField>>
  warnings: OcrProblem[]
}

/**
 * Reads papers. Rejects with OcrRefused, ProviderBusy, ProviderUnknown (it may be charged, and may be asked again), or
 * ProviderRefused where the settings are wrong.
 */
export type Ocr = {
  readonly name: OcrName
  /** What it reads is a proposal, however sure it is of it. */
  readonly isWeak: boolean
  /** A JPEG or PNG. */
  readLicence(picture: Buffer): Promise<OcrReading<LicenceField>>
  readIdCard(picture: Buffer, side: CardSide): Promise<OcrReading<IdCardField>>
  readBankCard(picture: Buffer): Promise<OcrReading<BankCardField>>
}

/** The services that an office is set up with, step by step. */
export type ServiceName = PayChannelName | 'sms' | 'captcha' | 'pos'

/** What is connected; null or absent: not configured. */
export type Providers = {
  /** How each is connected, for whoever sets the office up. */
  connections: Readonly<Record<ServiceName, Connection>>
  pay: Partial<Record<PayChannelName, PayChannel>>
  /** The channels that can be paid to an agent's own account. */
  own: Partial<Record<PayChannelName, OwnPay>>
  /** The acquirers that are spoken to by their protocol. */
  acquirers: Partial<Record<AcquirerName, AcquirerDesk>>
  /** Those that take shops in by their protocol. */
  acquirerOnboarding: Partial<Record<AcquirerName, AcquirerOnboardingDesk>>
  sms: SmsSender | null
  /** Where shops' own signatures are reviewed before messages carry them; empty: nowhere. */
  signatureDesks: readonly SignatureDesk[]
  /** The signature that the vendor's messages carry. */
  smsSignature: string
  /** Part of the address that receipts come to. */
  receiptSecret: string
  captcha: CaptchaVerifier | null
  /** What the page needs to show a third party's puzzle. */
  captchaSite: Record<string, string>
  ocr: Ocr | null
  /** Where merchant accounts are opened for shops, under the vendor's as their service provider. */
  onboarding: OnboardingDesk | null
  /** Where shops' mini programs are; made over where the office keeps its tickets and tokens. */
  miniPrograms: ((store: CredentialStore) => MiniProgramPlatform) | null
  /** Where shops' own data lie, at the point of sale. */
  pos: PosService | null
  /** Where a simulated phone pays a code, while simulators run; else null. */
  phoneUrl: string | null
  /** Where SMS can be read that simulators were given, while they run; else null. */
  inboxUrl: string | null
}
