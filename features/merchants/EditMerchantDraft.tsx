// Owns what the edit form holds, its broken rules in D2 §5's order, and what is kept when someone else changed the shop.
import type { In } from '#kit/op.ts'
import type { Broken } from '#web/form/useForm.ts'
import type { PaymentMethod } from './AddMerchantDraft.tsx'
import type { merchants } from './contract.ts'
import type { Merchant } from './MerchantFacts.tsx'
import type { SharedDraft } from './MerchantFields.tsx'
import { REFUSALS, refuseEditedMerchant, type StoreKind } from './rules.ts'

export type EditDraft = SharedDraft & {
  account: string
  /** Empty: unchanged. */
  password: string
  shopPhone: string
  versionId: number
  storeKind: StoreKind
  registeredAt: string
  expiresAt: string | null
}

export const FIELD_LABELS: Record<keyof EditDraft, string> = {
  shortName: '店铺简称',
  shopName: '店铺名称',
  personName: '商户姓名',
  account: '账号',
  password: '密码',
  shopPhone: '店铺电话',
  industryId: '行业类型',
  districtCode: '省市区',
  address: '详细地址',
  referrer: '推荐人',
  managerId: '客户经理/客服',
  remark: '备注',
  paymentMethodId: '支付方式',
  paymentConfig: '支付参数',
  versionId: '软件版本',
  storeKind: '门店类型',
  registeredAt: '注册时间',
  expiresAt: '到期时间',
}

export function draftOf(merchant: Merchant): EditDraft {
  return {
    shortName: merchant.shortName,
    shopName: merchant.shopName,
    personName: merchant.personName,
    account: merchant.account,
    password: '',
    shopPhone: merchant.shopPhone,
    industryId: merchant.industryId,
    districtCode: merchant.districtCode,
    address: merchant.address,
    referrer: merchant.referrer,
    managerId: merchant.managerId,
    remark: merchant.remark,
    paymentMethodId: merchant.paymentMethodId,
    paymentConfig: merchant.paymentConfig,
    versionId: merchant.versionId,
    storeKind: merchant.storeKind,
    registeredAt: merchant.registeredAt,
    expiresAt: merchant.expiresAt,
  }
}

const SOUND = {
  shortName: '店',
  shopName: '店',
  personName: '人',
  password: '',
  shopPhone: '',
  industryId: 1,
  districtCode: '110101',
  address: '',
  referrer: '',
  remark: '',
}

/** Every field with a broken rule and its message, in the documents' order. */
export function brokenEdits(
  draft: EditDraft,
  merchant: Merchant,
  method: PaymentMethod | undefined,
): Broken[] {
  const sound = { ...SOUND, account: merchant.account }
  const broken: Broken[] = []
  let probe = trimmed(draft)
  const first = () => refuseEditedMerchant(probe, merchant.account)
  for (let refusal = first(); refusal; refusal = first()) {
    broken.push({ field: refusal.field, message: REFUSALS[refusal.code] })
    if (!(refusal.field in sound)) break
    probe = { ...probe, [refusal.field]: sound[refusal.field as keyof typeof sound] }
  }
  return [...broken, ...brokenPayment(draft, merchant, method)]
}

function brokenPayment(draft: EditDraft, merchant: Merchant, method: PaymentMethod | undefined): Broken[] {
  if (!method || !paymentChanged(draft, merchant)) return []
  const kept = method.id === merchant.paymentMethodId ? merchant.paymentSecretsSet : []
  return method.fields
    .filter(
      field =>
        field.required && (draft.paymentConfig[field.key] ?? '').trim() === '' && !kept.includes(field.key),
    )
    .map(field => ({ field: `paymentConfig.${field.key}`, message: `${field.label}不能为空` }))
}

function paymentChanged(draft: EditDraft, merchant: Merchant): boolean {
  if (draft.paymentMethodId !== merchant.paymentMethodId) return true
  const keys = new Set([...Object.keys(draft.paymentConfig), ...Object.keys(merchant.paymentConfig)])
  return [...keys].some(key => (draft.paymentConfig[key] ?? '') !== (merchant.paymentConfig[key] ?? ''))
}

function trimmed<D extends EditDraft>(draft: D): D {
  const entries = Object.entries(draft).map(([key, value]) => [
    key,
    typeof value === 'string' && key !== 'password' ? value.trim() : value,
  ])
  return Object.fromEntries(entries) as D
}

/** The edit as the server takes it. An untouched payment config is not sent, so that locks on it are not met. */
export function inputOf(draft: EditDraft, merchant: Merchant): In<typeof merchants.edit> {
  return {
    ...trimmed(draft),
    id: merchant.id,
    revision: merchant.revision,
    paymentConfig: paymentChanged(draft, merchant) ? draft.paymentConfig : {},
  }
}

export type Merged = { draft: EditDraft; conflicts: (keyof EditDraft)[] }

/**
 * What was typed, over what is saved now: a field that was not touched takes the saved value, a touched one keeps the typed.
 * `conflicts` names the fields that both changed, differently.
 */
export function mergeEdits(typed: EditDraft, before: EditDraft, saved: EditDraft): Merged {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
  const keys = Object.keys(typed) as (keyof EditDraft)[]
  const touched = keys.filter(key => !same(typed[key], before[key]))
  return {
    draft: { ...saved, ...Object.fromEntries(touched.map(key => [key, typed[key]])) },
    conflicts: touched.filter(key => !same(saved[key], before[key]) && !same(saved[key], typed[key])),
  }
}
