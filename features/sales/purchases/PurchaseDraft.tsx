// Owns what the purchase form holds, its broken rules and what is sent (D2 §2.2, §4, §5, §9). The server judges by the same rules.

import {
  asksBranches,
  type Conversion,
  converted,
  type Forfeit,
  forfeited,
  PRICING_RULES,
  type Price,
  type PricedVersion,
  priceOf,
  LIMITS as TERM_LIMITS,
  type Term,
  type TermEnd,
  VERSION_REFUSALS,
  yearCentsOf,
} from '#features/shops/versions/rules.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { formatCount } from '#kit/money.ts'
import { lengthOf } from '#kit/words/cleaned.ts'
import type { Broken } from '#web/form/useForm.ts'
import type { purchases } from './contract.ts'
import type { Effect } from './Effects.tsx'
import {
  branchConversion,
  LIMITS,
  PURCHASE_REFUSALS,
  type Scope,
  shopsAfter,
  shopsOf,
  termAfter,
} from './rules.ts'

export type Shop = Out<typeof purchases.offers>
export type Offer = Shop['offers'][number]
/** One way to buy a version: for which shops, and for which terms. */
export type Way = Offer['scopes'][number]
export type Branch = Out<typeof purchases.branches>['rows'][number]
export type Form = In<typeof purchases.quote>

export type Draft = {
  versionId: number | null
  scope: Scope | null
  branches: readonly Branch[]
  term: Term | null
  periods: number
  shops: number | null
  remark: string
}

const EMPTY: Draft = {
  versionId: null,
  scope: null,
  branches: [],
  term: null,
  periods: 1,
  shops: 1,
  remark: '',
}

/**
 * The form as it opens: the wanted version, or the one that the shop has, in its first way and term. Nothing where that
 * would only sell more shops: who came to renew has nothing to renew.
 */
export function firstDraft(shop: Shop, wantedVersionId: number | null): Draft {
  const offer =
    shop.offers.find(offered => offered.versionId === wantedVersionId) ??
    shop.offers.find(offered => offered.isCurrent)
  const onlyAdds = offer?.isCurrent && offer.scopes.every(way => way.asksShops)
  return offer && !onlyAdds ? withOffer(EMPTY, offer) : EMPTY
}

export function offerOf(shop: Shop, draft: Draft): Offer | undefined {
  return shop.offers.find(offer => offer.versionId === draft.versionId)
}

export function wayOf(offer: Offer | undefined, draft: Draft): Way | undefined {
  return offer?.scopes.find(way => way.scope === draft.scope)
}

/** The draft after another version was chosen; way and term stay where the version is sold so. */
export function withOffer(draft: Draft, offer: Offer): Draft {
  const way = wayOf(offer, draft) ?? offer.scopes[0]
  const chosen = { ...draft, versionId: offer.versionId }
  return way ? withWay(chosen, way) : { ...chosen, scope: null, term: null }
}

export function withWay(draft: Draft, way: Way): Draft {
  const kept = draft.term !== null && way.terms.includes(draft.term) ? draft.term : (way.terms[0] ?? null)
  return withTerm({ ...draft, scope: way.scope, shops: way.shopsDefault }, kept)
}

export function withTerm(draft: Draft, term: Term | null): Draft {
  return { ...draft, term, periods: term === draft.term ? draft.periods : 1 }
}

/** What a way of buying is called; the documents' names of the codes hold several at once. */
export function wayName(offer: Offer, way: Way): string {
  if (way.scope === 'branches') return '续费分店'
  if (way.scope === 'all') return '续费全部店铺'
  if (way.scope === 'addBranches') return '增购分店'
  if (!offer.isCurrent) return `更换为${offer.versionName}`
  if (way.asksShops) return '增购店铺'
  // A shop that stands alone has no branches to be told from.
  if (offer.scopes.length === 1) return '续费本店'
  const unlinked = (way.shopsCounted ?? 1) - 1
  return unlinked > 0 ? `续费总店（含未关联分店 ${formatCount(unlinked)} 家）` : '续费总店'
}

/** Whether nothing that can be bought of the version is for the branches that the head has. */
export function leavesBranches(shop: Shop, offer: Offer | undefined): boolean {
  if (shop.branchCount === 0 || offer === undefined) return false
  return offer.scopes.every(({ scope }) => scope === 'head')
}

/** What of the present term a lifetime takes; null for every other term. */
export function forfeitNow(draft: Draft, shop: Shop, now: string): Forfeit | null {
  if (draft.term !== 'lifetime') return null
  return forfeited(shop.expiresAt, shop.rest, shop.discountBasisPoints, now)
}

/** Every field with a broken rule and its message, in the order of the form. */
export function brokenRules(draft: Draft, offer: Offer | undefined, way: Way | undefined): Broken[] {
  if (!offer) return [{ field: 'versionId', message: VERSION_REFUSALS.VERSION_REQUIRED }]
  if (!way) return [{ field: 'scope', message: PURCHASE_REFUSALS.SCOPE_NOT_OFFERED }]
  if (way.refusal) return [{ field: 'scope', message: way.refusal.message }]
  const broken: Broken[] = []
  if (way.asksBranches && draft.branches.length === 0)
    broken.push({ field: 'branchIds', message: PURCHASE_REFUSALS.BRANCHES_REQUIRED })
  if (draft.term === null || !way.terms.includes(draft.term))
    broken.push({ field: 'term', message: VERSION_REFUSALS.TERM_REQUIRED })
  const shops = way.asksShops ? refuseShops(draft.shops) : null
  if (shops) broken.push({ field: 'shops', message: VERSION_REFUSALS[shops] })
  if (lengthOf(draft.remark) > LIMITS.remark)
    broken.push({ field: 'remark', message: PURCHASE_REFUSALS.REMARK_TOO_LONG })
  return broken
}

function refuseShops(shops: number | null): 'SHOPS_TOO_FEW' | 'SHOPS_TOO_MANY' | null {
  if (shops === null || !Number.isSafeInteger(shops) || shops < 1) return 'SHOPS_TOO_FEW'
  return shops > TERM_LIMITS.shopsMax ? 'SHOPS_TOO_MANY' : null
}

/** The draft as the server takes it. Only called when no rule is broken. */
export function formOf(shop: Shop, draft: Draft, offer: Offer, way: Way): Form {
  if (draft.term === null) throw new Error('a draft without a term cannot be sent')
  return {
    merchantId: shop.merchantId,
    versionId: offer.versionId,
    scope: way.scope,
    branchIds: way.asksBranches ? draft.branches.map(branch => branch.id) : [],
    term: draft.term,
    periods: periodsNow(draft, way),
    shops: way.asksShops ? (draft.shops ?? Number.NaN) : 1,
    remark: draft.remark.trim(),
  }
}

/** Years or months as they are bought: fixed by the way, one for a lifetime, otherwise as chosen. */
function periodsNow(draft: Draft, way: Way): number {
  return way.periodsFixed ?? (draft.term === 'lifetime' ? 1 : draft.periods)
}

/** Shops that the price is multiplied with as the form stands; null while the number is missing. */
function shopsNow(draft: Draft, way: Way): number | null {
  if (way.asksShops) return draft.shops
  return way.asksBranches ? draft.branches.reduce((sum, one) => sum + shopsOf(one), 0) : way.shopsCounted
}

/** The price as the form stands; null while a number is missing. The quote is what counts. */
export function priceNow(draft: Draft, shop: Shop, offer: Offer, way: Way): Price | null {
  const counted = shopsNow(draft, way)
  if (draft.term === null || counted === null || counted < 1 || way.refusal) return null
  const version = pricedOf(offer)
  const periods = periodsNow(draft, way)
  const terms = asksBranches(version)
    ? { term: draft.term, periods, shops: 1, branches: counted - 1 }
    : { term: draft.term, periods, shops: counted, branches: 0 }
  return priceOf(version, terms, shop.discountBasisPoints)
}

function pricedOf(offer: Offer): PricedVersion {
  const pricingRule = PRICING_RULES.find(rule => rule === offer.pricingRule)
  if (!pricingRule) throw new Error(`no pricing rule ${offer.pricingRule}`)
  return { ...offer, pricingRule }
}

/** What the rest of the present term becomes; null where the version stays or has no end. */
export function conversionNow(
  draft: Draft,
  shop: Shop,
  offer: Offer,
  way: Way,
  now: string,
): Conversion | null {
  const shops = shopsNow(draft, way)
  if (offer.isCurrent || draft.term === null || draft.term === 'lifetime' || shops === null) return null
  return converted(shop.expiresAt, shop.rest, { yearCents: yearCentsOf(pricedOf(offer)), shops }, now)
}

/** What the purchase would change as the form stands, for the shops whose present term the form knows. */
export function effectsNow(draft: Draft, shop: Shop, offer: Offer, way: Way, now: string): Effect[] {
  const { term, periods } = draft
  if (term === null) return []
  const conversion = conversionNow(draft, shop, offer, way, now)
  const bought = term === 'lifetime' ? 'permanent' : conversion ? 'restarted' : 'extended'
  const expiry = way.scope === 'addBranches' ? 'kept' : bought
  const wanted = { scope: way.scope, term, periods, shops: draft.shops ?? 0 }
  const after = (before: TermEnd) =>
    termAfter(before, expiry, wanted, now, conversion?.convertedDays).expiresAt
  if (way.asksBranches)
    return draft.branches.map(branch => {
      const own =
        branch.versionId === offer.versionId
          ? null
          : branchConversion(branch, branch.yearCents, pricedOf(offer), now)
      const ends = own
        ? termAfter(branch, 'restarted', wanted, now, own.convertedDays).expiresAt
        : after(branch)
      return {
        merchantId: branch.id,
        shopName: branch.shopName,
        versionBefore: branch.versionName,
        versionAfter: offer.versionName,
        expiresBefore: branch.expiresAt,
        expiresAfter: ends,
        shopsBefore: branch.shopsBought,
        shopsAfter: branch.shopsBought,
        remainingDays: own?.remainingDays ?? null,
        convertedDays: own?.convertedDays ?? null,
      }
    })
  const { shopsBought, branchCount } = shop
  const adds = offer.isCurrent ? 'added' : 'asked'
  const shops = { shopsBought, branchCount, asked: draft.shops ?? 0 }
  return [
    {
      merchantId: shop.merchantId,
      shopName: shop.shopName,
      versionBefore: shop.versionName,
      versionAfter: offer.versionName,
      expiresBefore: shop.expiresAt,
      expiresAfter: after(shop),
      shopsBefore: shop.shopsBought,
      shopsAfter: shopsAfter({ shopsAfter: way.asksShops ? adds : 'kept' }, shops),
      remainingDays: null,
      convertedDays: null,
    },
  ]
}
