// Owns what the edit form holds, its broken rules in D2 §5's order, and what is kept when someone else changed the shop.
import { keysIn, labelsIn, picked, trimmed } from '#kit/declare/fields.ts'
import { brokenOf } from '#kit/declare/form.ts'
import type { In } from '#kit/declare/op.ts'
import type { Broken } from '#web/form/useForm.ts'
import type { Merchant, merchants } from './contract.ts'
import { MERCHANT_FIELDS, VERIFICATION_CHANGE } from './fields.ts'
import { missingConfig, type PaymentMethod } from './MerchantFields.tsx'
import { REFUSALS, refuseEditedMerchant, refuseVerificationChange } from './rules.ts'

/** An empty password is unchanged. */
export type EditDraft = Omit<In<typeof merchants.edit>, 'id' | 'revision'>

export const FIELD_LABELS: Record<keyof EditDraft, string> = {
  ...labelsIn(MERCHANT_FIELDS, 'edit'),
  password: '密码',
  verificationReason: VERIFICATION_CHANGE.verificationReason.label,
  paymentConfig: '支付参数',
}

export function draftOf(merchant: Merchant): EditDraft {
  const { paymentConfig } = merchant
  return {
    ...picked(merchant, keysIn(MERCHANT_FIELDS, 'edit')),
    password: '',
    verificationReason: '',
    paymentConfig,
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
  verificationRefusal: '-',
}

/** Every field with a broken rule and its message, in the documents' order. */
export function brokenEdits(
  draft: EditDraft,
  merchant: Merchant,
  method: PaymentMethod | undefined,
): Broken[] {
  const sound = { ...SOUND, account: merchant.account }
  const broken: Broken[] = []
  let probe = trimmed(draft, 'password')
  const first = () => refuseEditedMerchant(probe, merchant.account)
  for (let refusal = first(); refusal; refusal = first()) {
    broken.push({ field: refusal.field, message: REFUSALS[refusal.code] })
    if (!(refusal.field in sound)) break
    probe = { ...probe, [refusal.field]: sound[refusal.field as keyof typeof sound] }
  }
  const change = refuseVerificationChange(draft, merchant)
  return [
    ...broken,
    ...(change ? [{ field: change.field, message: REFUSALS[change.code] }] : []),
    ...brokenOf({ ...MERCHANT_FIELDS, ...VERIFICATION_CHANGE }, draft),
    ...brokenPayment(draft, merchant, method),
  ]
}

function brokenPayment(draft: EditDraft, merchant: Merchant, method: PaymentMethod | undefined): Broken[] {
  if (!method || !paymentChanged(draft, merchant)) return []
  const kept = method.id === merchant.paymentMethodId ? merchant.paymentSecretsSet : []
  return missingConfig(draft.paymentConfig, method, kept)
}

function paymentChanged(draft: EditDraft, merchant: Merchant): boolean {
  if (draft.paymentMethodId !== merchant.paymentMethodId) return true
  const keys = new Set([...Object.keys(draft.paymentConfig), ...Object.keys(merchant.paymentConfig)])
  return [...keys].some(key => (draft.paymentConfig[key] ?? '') !== (merchant.paymentConfig[key] ?? ''))
}

/** The edit as the server takes it. An untouched payment config is not sent, so that locks on it are not met. */
export function inputOf(draft: EditDraft, merchant: Merchant): In<typeof merchants.edit> {
  return {
    ...trimmed(draft, 'password'),
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
