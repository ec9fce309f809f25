// Owns the vocabulary of the ledger: assets, owners, kinds of movement (money.md). Must never compute a balance.
import { amountText, countText, formatCount } from '#kit/money.ts'
import { METHOD_NAMES } from '#kit/ports/channels.ts'
import { lengthOf } from '#kit/words/cleaned.ts'

/** What an agency holds and is credited with. */
export const CREDITED_ASSETS = ['token', 'sms'] as const
export type CreditedAsset = (typeof CREDITED_ASSETS)[number]
export const CREDITED_NAMES: Record<CreditedAsset, string> = { token: '代币', sms: '短信' }

/** And what shops have paid and get back: deposits, in fen. */
export const ASSETS = [...CREDITED_ASSETS, 'deposit'] as const
export type Asset = (typeof ASSETS)[number]
export const ASSET_NAMES: Record<Asset, string> = { ...CREDITED_NAMES, deposit: '押金' }

/** The vendor's own books hold no running balance: they are sums. */
export const BOOKS = ['issued', 'revenue', 'sms-supplier', 'gifts', 'payment-clearing'] as const
export type Book = (typeof BOOKS)[number]

export const OWNER_KINDS = ['agent', 'merchant', 'vendor'] as const
export type OwnerKind = (typeof OWNER_KINDS)[number]

/** What a transfer is; the list of balance changes shows the name. */
export const TRANSFER_KINDS = {
  credit: '运营充值',
  'version-new': '新增商户',
  'sms-open': '开店短信',
  'version-renew': '版本续费',
  'version-upgrade': '版本升级',
  service: '增值服务',
  'sms-package': '商户短信包',
  'sms-recall': '短信回收',
  hardware: '硬件订购',
  allocate: '下级划拨',
  'token-recharge': '代币充值',
  'sms-recharge': '短信充值',
  'recharge-refund': '充值退款',
  'sms-gift': '赠送短信',
  'sms-send': '短信发送',
  'sms-send-return': '短信返还',
  undo: '订单撤销',
  closing: '停止合作结算',
  'deposit-paid': '押金收取',
  'deposit-returned': '押金退还',
  'deposit-kept': '押金扣留',
} as const
export type TransferKind = keyof typeof TRANSFER_KINDS
export const TRANSFER_KIND_KEYS = Object.keys(TRANSFER_KINDS) as TransferKind[]

/** On what an agent's own tokens are spent; what an undo gives back counts against it. */
export const SPENDING = [
  'version-new',
  'version-renew',
  'version-upgrade',
  'service',
  'sms-package',
  'hardware',
  'allocate',
] as const satisfies readonly TransferKind[]
export const GIVEN_BACK = 'undo' as const satisfies TransferKind

/** Payment methods of D2 §9, as stored and as shown. */
export const PAY_METHODS = {
  // The documents name the channels the other way about.
  ...(Object.fromEntries(Object.entries(METHOD_NAMES).toReversed()) as typeof METHOD_NAMES),
  balance: '余额',
  interface: '接口订单',
  gift: '免费赠送',
} as const
export type PayMethod = keyof typeof PAY_METHODS

/** What a number that opens may stand for. */
export const DOCUMENT_KINDS = {
  version: '版本订单',
  service: '增值订单',
  sms: '短信订单',
  hardware: '硬件订单',
  token: '代币充值',
  batch: '批量续费',
  renewal: '在线续费',
  deposit: '押金',
  movement: '账务单据',
} as const
export type DocumentKind = keyof typeof DOCUMENT_KINDS
export const DOCUMENT_KIND_KEYS = Object.keys(DOCUMENT_KINDS) as DocumentKind[]

/** Digits of an order number, of which lists show only the last (D2 §9). */
export const ORDER_NO_LENGTH = 22
export const SHOWN_ORDER_CHARS = 8

/** `creditMax`: ten million tokens, or as many pieces of SMS, in the asset's smallest unit. */
export const LIMITS = { creditMax: { token: 1_000_000_000, sms: 10_000_000 }, reasonMax: 50 } as const

export const LEDGER_REFUSALS = {
  INSUFFICIENT: '账户余额不足',
  AGENT_SUSPENDED: '代理商已被暂停，代币不能支出',
  SMS_INSUFFICIENT: '短信余额不足',
  AMOUNT_REQUIRED: '请输入大于0的数额',
  AMOUNT_TOO_LARGE: `单次充值不得超过${formatCount(LIMITS.creditMax.sms / 10_000)}万`,
  REASON_REQUIRED: '请输入充值原因',
  REASON_TOO_LONG: `充值原因不得超过${LIMITS.reasonMax}字`,
  AGENT_UNKNOWN: '请选择代理商',
} as const
/** SMS_INSUFFICIENT where a shop was to be topped up. */
export const TOP_UP_FAILED = '充值失败，短信余额不足'
export type LedgerRefusal = keyof typeof LEDGER_REFUSALS

/** First broken rule of a credit by the operator, or null. `amount` in the asset's smallest unit. */
export function refuseCredit(credit: {
  asset: CreditedAsset
  amount: number
  reason: string
}): LedgerRefusal | null {
  if (!Number.isSafeInteger(credit.amount) || credit.amount <= 0) return 'AMOUNT_REQUIRED'
  if (credit.amount > LIMITS.creditMax[credit.asset]) return 'AMOUNT_TOO_LARGE'
  if (credit.reason.trim() === '') return 'REASON_REQUIRED'
  if (lengthOf(credit.reason) > LIMITS.reasonMax) return 'REASON_TOO_LONG'
  return null
}

/** An amount of an asset with its unit. */
export function assetText(asset: Asset, amount: number): string {
  if (asset === 'sms') return countText(amount, '条')
  return amountText(amount, asset === 'token' ? '代币' : '元')
}

/** What an agent is told that was credited; tokens in 1/100. */
export function creditedWords(
  asset: CreditedAsset,
  amount: number,
  reason: string,
): { title: string; body: string } {
  const title = `${CREDITED_NAMES[asset]}已到账`
  return { title, body: `运营充值 ${assetText(asset, amount)}。原因：${reason}` }
}
