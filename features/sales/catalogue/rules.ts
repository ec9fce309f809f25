// Owns what the operator may write into the catalogue: versions, services, packages, and which adjustments stand (D2 §3, §6, §9).
// Of prices it knows the first alone: what follows is the price desk's.
import { CENTS_REFUSALS, refuseCents } from '#features/office/prices/rules.ts'
import type { PricingRule, SaleState, Term } from '#features/shops/versions/rules.ts'
import { mayRenew } from '#features/shops/versions/rules.ts'
import { formatCount } from '#kit/money.ts'
import { cleanCode } from '#kit/words/cleaned.ts'

/** `pieces`: of a package. `soldDays`: so far back a package's sales are told. */
export const LIMITS = {
  name: 20,
  code: 32,
  remark: 60,
  pieces: 1_000_000,
  soldDays: 90,
  positionMax: 9_999,
  sellers: 200,
  functions: 60,
} as const

/** What is told of those whom a retirement concerns: terms that end so soon, and agents with the most. */
export const ENDING_DAYS = 90
export const AGENTS_SHOWN = 10

export const PRICING_RULE_NAMES: Readonly<Record<PricingRule, string>> = {
  perShopYear: '按店按年',
  perBranchYear: '总店和分店按年',
  perShopLifetime: '按店永久',
}

/** IsAddShop (D2 §9) that a pricing rule can be bought and renewed as; what stands first is proposed. */
export const CODES_OF: Readonly<Record<PricingRule, { buy: readonly number[]; renew: readonly number[] }>> = {
  perShopYear: { buy: [4, 1, 6], renew: [1, 6] },
  perBranchYear: { buy: [4], renew: [1] },
  perShopLifetime: { buy: [7, 8], renew: [7, 8] },
}

/** How a version, a service or a package stands before whoever sells it. */
export const VERSION_STATES = {
  sold: '在售',
  unpriced: '未定价',
  renewed: '停售可续费',
  retired: '已停售',
} as const
export type VersionState = keyof typeof VERSION_STATES

/** `priced`: it has a price for some term. */
export function stateOf(version: SaleState, priced: boolean, now: string): VersionState {
  if (version.enabled) return priced ? 'sold' : 'unpriced'
  return mayRenew(version, now) ? 'renewed' : 'retired'
}

export const CATALOGUE_REFUSALS = {
  NAME_TAKEN: '名称已被使用，请更换',
  CODE_FORMAT: '代码由大写字母、数字和下划线组成',
  CODE_TAKEN: '代码已被使用，请更换',
  CODES_UNFIT: '该计价方式不能使用所选的代码',
  POSITION_INVALID: `排序为0至${LIMITS.positionMax}的整数`,
  SELLERS_REQUIRED: '请选择代理商',
  SELLERS_TOO_MANY: `指定的代理商不得超过${LIMITS.sellers}家`,
  AGENT_UNKNOWN: '代理商不存在，请重新选择',
  FUNCTIONS_TOO_MANY: `功能不得超过${LIMITS.functions}项`,
  FUNCTION_UNKNOWN: '功能不存在，请刷新后重试',
  RETIRED_ALREADY: '该版本已停售',
  NOT_RETIRED: '该版本在售，无需恢复',
  RENEW_UNTIL_PAST: '续费截止日期不能早于今天',
  PAIR_REQUIRED: '请选择调整前后的版本',
  PAIR_SAME: '调整前后的版本不能相同',
  ...CENTS_REFUSALS,
  PRICE_REQUIRED: '请输入价格',
  GROUP_REQUIRED: '请选择服务分类',
  SERVICE_CODE_FORMAT: '代码由小写字母、数字和短横线组成',
  PIECES_INVALID: `条数为1至${formatCount(LIMITS.pieces)}的整数`,
  ITEM_RETIRED_ALREADY: '该项目已停售',
  ITEM_NOT_RETIRED: '该项目在售，无需恢复',
} as const
export type CatalogueRefusal = keyof typeof CATALOGUE_REFUSALS
type Broken = { field: string; code: CatalogueRefusal }

export type VersionForm = {
  code: string
  pricingRule: PricingRule
  buyCode: number
  renewCode: number
  position: number | null
  sellers: 'all' | 'only' | 'except'
  sellerIds: readonly number[]
  functionIds: readonly number[]
}

/** First broken rule of a version beyond its texts, or null. */
export function refuseVersionForm(form: VersionForm): Broken | null {
  if (!/^[A-Z0-9_]+$/.test(cleanCode(form.code))) return { field: 'code', code: 'CODE_FORMAT' }
  const fit = CODES_OF[form.pricingRule]
  if (!fit.buy.includes(form.buyCode)) return { field: 'buyCode', code: 'CODES_UNFIT' }
  if (!fit.renew.includes(form.renewCode)) return { field: 'renewCode', code: 'CODES_UNFIT' }
  if (refusePosition(form.position)) return { field: 'position', code: 'POSITION_INVALID' }
  if (form.sellers !== 'all' && form.sellerIds.length === 0)
    return { field: 'sellerIds', code: 'SELLERS_REQUIRED' }
  if (form.sellerIds.length > LIMITS.sellers) return { field: 'sellerIds', code: 'SELLERS_TOO_MANY' }
  return form.functionIds.length > LIMITS.functions
    ? { field: 'functionIds', code: 'FUNCTIONS_TOO_MANY' }
    : null
}

export function refusePosition(position: number | null): 'POSITION_INVALID' | null {
  const isWithin =
    position !== null && Number.isSafeInteger(position) && position >= 0 && position <= LIMITS.positionMax
  return isWithin ? null : 'POSITION_INVALID'
}

/** Why a version cannot be retired so, or null. `until` and `today` are days. */
export function refuseRetire(
  { enabled }: { enabled: boolean },
  until: string | null,
  today: string,
): CatalogueRefusal | null {
  if (!enabled) return 'RETIRED_ALREADY'
  return until !== null && until < today ? 'RENEW_UNTIL_PAST' : null
}

/** Why no shop can be adjusted from one version to the other, or null. */
export function refusePair(from: number | null, to: number | null): CatalogueRefusal | null {
  if (from === null || to === null) return 'PAIR_REQUIRED'
  return from === to ? 'PAIR_SAME' : null
}

/** What is sold beside versions and hardware; the kind is the book of its prices. */
export const ITEM_KINDS = { service: '增值服务', sms: '短信包', recharge: '充值套餐' } as const
export type ItemKind = keyof typeof ITEM_KINDS
/** The part of its book by which a kind is sold. */
export const ITEM_PARTS = { service: 'unit', sms: 'pack', recharge: 'pack' } as const satisfies Record<
  ItemKind,
  string
>
/** Under how its kind is counted in people's words. */
export const UNIT_NAMES = { year: '按年', piece: '按个' } as const

/** `renewed`: it is retired, and whoever has it may renew it. */
export function itemStateOf(item: {
  enabled: boolean
  cents: number | null
  renewed: boolean
}): VersionState {
  if (!item.enabled) return item.renewed ? 'renewed' : 'retired'
  return item.cents === null ? 'unpriced' : 'sold'
}

/** Why an item cannot be retired so, or null. `until` and `today` are days. */
export function refuseRetireItem(
  item: { enabled: boolean },
  until: string | null,
  today: string,
): CatalogueRefusal | null {
  const code = refuseRetire(item, until, today)
  return code === 'RETIRED_ALREADY' ? 'ITEM_RETIRED_ALREADY' : code
}

export type ItemForm = {
  kind: ItemKind
  /** Of a service. */
  groupId: number | null
  code: string
  /** Of a package. */
  pieces: number | null
  position: number | null
  /** Of a new one. */
  priceCents: number | null
}

/** What breaks the rules of an item beyond its texts, in the order of its form. What shops have bought keeps its code, count and unit. */
export function brokenItemForm(form: ItemForm, isNew: boolean): Broken[] {
  const broken: Broken[] = []
  if (form.kind === 'service') {
    if (form.groupId === null) broken.push({ field: 'groupId', code: 'GROUP_REQUIRED' })
    if (isNew && !/^[a-z0-9-]+$/.test(cleanCode(form.code)))
      broken.push({ field: 'code', code: 'SERVICE_CODE_FORMAT' })
  } else if (isNew && !isPieces(form.pieces)) broken.push({ field: 'pieces', code: 'PIECES_INVALID' })
  if (isNew) {
    const price = form.priceCents === null ? 'PRICE_REQUIRED' : refuseCents(form.priceCents, form.kind)
    if (price) broken.push({ field: 'priceCents', code: price })
  }
  const place = refusePosition(form.position)
  if (place) broken.push({ field: 'position', code: place })
  return broken
}

function isPieces(pieces: number | null): boolean {
  return pieces !== null && Number.isSafeInteger(pieces) && pieces >= 1 && pieces <= LIMITS.pieces
}

/** First broken rule of the first prices of a version, by their terms; one without is not sold so. */
export function refuseFirstPrices(prices: readonly { part: Term; cents: number }[]): Broken | null {
  for (const { part, cents } of prices) {
    const code = refuseCents(cents, 'version')
    if (code) return { field: priceField(part), code }
  }
  return null
}

/** The field of the form in which a term's first price is typed. */
export const priceField = (part: Term) => `price-${part}` as const
