// Owns what the add form holds, its broken rules and its order (D1 §2, §5; D2 §9). The server judges by the same rules.
import type { AccountFormat } from '#features/office/agents/rules.ts'
import { MERCHANT_FIELDS } from '#features/shops/merchants/fields.ts'
import { missingConfig, type PaymentMethod } from '#features/shops/merchants/MerchantFields.tsx'
import { REFUSALS, refuseNewMerchant } from '#features/shops/merchants/rules.ts'
import {
  asksBranches,
  type PurchaseTerms,
  refuseNumbers,
  refuseTerm,
  type Term,
  termsOf,
  VERSION_REFUSALS,
  type VersionRefusal,
} from '#features/shops/versions/rules.ts'
import type { Version } from '#features/shops/versions/VersionPicker.tsx'
import { blankOf, trimmed } from '#kit/declare/fields.ts'
import { brokenOf } from '#kit/declare/form.ts'
import type { In } from '#kit/declare/op.ts'
import { parseCount } from '#kit/words/count.ts'
import type { Broken } from '#web/form/useForm.ts'
import type { selling } from './contract.ts'

type Form = In<typeof selling.quote>
export type Draft = Omit<Form, 'versionId' | 'term' | 'shops' | 'branches' | 'smsCount'> & {
  versionId: number | null
  term: Term | null
  shops: number | null
  branches: number | null
  /** As typed. */
  smsCount: string
}

export const EMPTY_DRAFT: Draft = {
  ...blankOf(MERCHANT_FIELDS, 'add'),
  versionId: null,
  term: null,
  periods: 1,
  shops: 1,
  branches: 0,
  password: '',
  smsCount: '',
  paymentConfig: {},
}

/** Values that break no rule, so that one field can be judged by itself. */
const SOUND = {
  industryId: 1,
  shortName: '店',
  shopName: '店',
  personName: '人',
  account: '13800000000',
  password: 'sound-1',
  smsCount: 0,
  districtCode: '110101',
  address: '',
  referrer: '',
  remark: '',
}

const SOUND_TERMS: Partial<PurchaseTerms> = { periods: 1, shops: 1, branches: 1 }

const TERM_FIELDS: Record<VersionRefusal, keyof PurchaseTerms | 'versionId'> = {
  VERSION_REQUIRED: 'versionId',
  VERSION_NOT_AUTHORIZED: 'versionId',
  VERSION_RETIRED: 'versionId',
  VERSION_UNPRICED: 'versionId',
  TERM_REQUIRED: 'term',
  YEARS_OUT_OF_RANGE: 'periods',
  MONTHS_OUT_OF_RANGE: 'periods',
  SHOPS_TOO_FEW: 'shops',
  SHOPS_TOO_MANY: 'shops',
  BRANCHES_TOO_FEW: 'branches',
  BRANCHES_TOO_MANY: 'branches',
}

/** What the version is bought for; a number that is missing becomes NaN, which the rules refuse. */
export function purchaseOf(draft: Draft, version: Version): PurchaseTerms | null {
  if (draft.term === null) return null
  const perBranch = asksBranches(version)
  return {
    term: draft.term,
    periods: draft.term === 'lifetime' ? 1 : draft.periods,
    shops: perBranch ? 1 : (draft.shops ?? Number.NaN),
    branches: perBranch ? (draft.branches ?? Number.NaN) : 0,
  }
}

function smsCountOf(text: string): number {
  return text.trim() === '' ? 0 : (parseCount(text) ?? Number.NaN)
}

/** The draft after another version was chosen: its only term is taken, one it is not sold for is dropped. */
export function withVersion(draft: Draft, version: Version): Draft {
  const terms = termsOf(version)
  const kept = draft.term !== null && terms.includes(draft.term) ? draft.term : null
  return withTerm(
    { ...draft, versionId: version.id },
    kept ?? (terms.length === 1 ? (terms[0] ?? null) : null),
  )
}

export function withTerm(draft: Draft, term: Term | null): Draft {
  return { ...draft, term, periods: term === draft.term ? draft.periods : 1 }
}

/** Every field with a broken rule and its message, in the documents' order. */
export function brokenRules(
  draft: Draft,
  version: Version | undefined,
  method: PaymentMethod | undefined,
  format: AccountFormat,
): Broken[] {
  return [
    ...brokenTerm(draft, version),
    ...brokenDetails(draft, format),
    ...(version ? brokenNumbers(draft, version) : []),
    ...missingConfig(draft.paymentConfig, method),
  ]
}

function brokenTerm(draft: Draft, version: Version | undefined): Broken[] {
  const code = refuseTerm(version, draft.term)
  return code ? [{ field: TERM_FIELDS[code], message: VERSION_REFUSALS[code] }] : []
}

function brokenNumbers(draft: Draft, version: Version): Broken[] {
  const broken: Broken[] = []
  let purchase = purchaseOf(draft, version)
  if (!purchase) return []
  for (let code = refuseNumbers(version, purchase); code; code = refuseNumbers(version, purchase)) {
    const field = TERM_FIELDS[code]
    broken.push({ field, message: VERSION_REFUSALS[code] })
    if (!(field in SOUND_TERMS)) break
    purchase = { ...purchase, [field]: SOUND_TERMS[field as keyof PurchaseTerms] }
  }
  return broken
}

function brokenDetails(draft: Draft, format: AccountFormat): Broken[] {
  const broken: Broken[] = []
  let probe = { ...trimmed(draft, 'password'), smsCount: smsCountOf(draft.smsCount) }
  for (let refusal = refuseNewMerchant(probe, format); refusal; refusal = refuseNewMerchant(probe, format)) {
    broken.push({ field: refusal.field, message: REFUSALS[refusal.code] })
    if (!(refusal.field in SOUND)) break
    probe = { ...probe, [refusal.field]: SOUND[refusal.field as keyof typeof SOUND] }
  }
  return [...broken, ...brokenOf(MERCHANT_FIELDS, draft)]
}

/** The draft as the server takes it. Only called when no rule is broken. */
export function inputOf(draft: Draft, version: Version, method: PaymentMethod | undefined): Form {
  const purchase = purchaseOf(draft, version)
  if (!purchase) throw new Error('a draft without a term cannot be sent')
  const keys = method?.fields.map(field => field.key) ?? []
  return {
    ...trimmed(draft, 'password'),
    ...purchase,
    versionId: version.id,
    smsCount: smsCountOf(draft.smsCount),
    paymentConfig: Object.fromEntries(keys.map(key => [key, (draft.paymentConfig[key] ?? '').trim()])),
  }
}
