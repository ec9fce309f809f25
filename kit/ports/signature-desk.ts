// What the product asks of a service that sends SMS about a shop's own signature: hand it in, and ask where it stands.

/** Here, since the page knows them too. */
export type SmsProviderName = 'aliyun' | 'tencent'

export const CARRIERS = { mobile: '移动', unicom: '联通', telecom: '电信' } as const
export type Carrier = keyof typeof CARRIERS

/** How far a carrier has registered a signature, where the service tells it. `checking`: registered and to be tried; `lapsed`: unused for long. */
export const CARRIER_STATES = {
  none: '未报备',
  registering: '报备中',
  failed: '报备失败',
  checking: '待验证',
  lapsed: '报备失效',
  done: '已报备',
} as const
export type CarrierState = keyof typeof CARRIER_STATES
export type CarrierFact = { carrier: Carrier; state: CarrierState }

/** none: the service knows no such signature. ended: the review was called off there. */
export type SignatureStanding = 'none' | 'reviewing' | 'approved' | 'refused' | 'ended'
export type SignatureFact = {
  standing: SignatureStanding
  /** The service's own number; empty where it has none. */
  serviceId: string
  /** Why it was refused, in the service's words. */
  reason: string
  /** Empty where the service does not tell. */
  carriers: readonly CarrierFact[]
}

/** What a refused hand-in means: of the signature itself, or of the vendor's account there, which somebody has to mend. */
export type HandInTrouble = 'signature' | 'account'

/** Both calls reject with ProviderRefused, ProviderBusy or ProviderUnknown; after the last, ask before handing in again. */
export type SignatureDesk = {
  readonly name: SmsProviderName
  ask(signature: string, serviceId: string): Promise<SignatureFact>
  /** Of a signature that was asked about: what the service does not know is handed in, what it refused is handed in again. */
  handIn(order: { signature: string; remark: string }, standing: SignatureFact): Promise<string>
  /** By the code of a ProviderRefused. */
  troubleOf(code: string): HandInTrouble
}
