// How far a service or a package is sold: no more, or again. What shops have and what was shown is not touched.
import { changeService } from '#features/sales/services/server-catalogue.ts'
import { changePack } from '#features/sales/sms/server-catalogue.ts'
import type { In } from '#kit/declare/op.ts'
import { endOfDay, formatDay } from '#kit/time.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { refuse, refuseCommon, staffAlone } from '#server/refuse.ts'
import type { catalogue as contract } from './contract.ts'
import { ITEM_FIELDS } from './fields.ts'
import { CATALOGUE_REFUSALS, ITEM_KINDS, refuseRetireItem } from './rules.ts'
import { lockItem, objectOf } from './server-items.ts'

type Of = In<typeof contract.resumeItem>
type Locked = Awaited<ReturnType<typeof lockItem>>
type Sale = { enabled: boolean; renewable?: boolean; renewUntil?: string | null }

export const retireItem: Verb<typeof contract.retireItem> = async (ctx, input) => {
  const before = await lockSold(ctx, input)
  const until = isYearly(before) && input.renewable ? input.renewUntil : null
  const broken = refuseRetireItem(before, until, formatDay(ctx.now))
  refuse(broken, CATALOGUE_REFUSALS, broken === 'RENEW_UNTIL_PAST' ? { field: 'renewUntil' } : {})
  const renewal = {
    renewable: input.renewable,
    renewUntil: until === null ? null : endOfDay(until).toISOString(),
  }
  return setSale(ctx, input, before, { enabled: false, ...(isYearly(before) ? renewal : {}) })
}

export const resumeItem: Verb<typeof contract.resumeItem> = async (ctx, input) => {
  const before = await lockSold(ctx, input)
  refuse(before.enabled ? 'ITEM_NOT_RETIRED' : null, CATALOGUE_REFUSALS)
  const renewal = { renewable: true, renewUntil: null }
  return setSale(ctx, input, before, { enabled: true, ...(isYearly(before) ? renewal : {}) })
}

/** Pieces and packages do not end: there is nothing to renew. */
const isYearly = (item: Locked) => 'unit' in item && item.unit === 'year'

async function lockSold(ctx: Ctx, of: Of): Promise<Locked> {
  staffAlone(ctx)
  const before = await lockItem(ctx, of.itemKind, of)
  // A group is no item.
  if ('parentId' in before && before.parentId === null) refuseCommon('NOT_FOUND')
  return before
}

async function setSale(ctx: Ctx, { itemKind, id }: Of, before: Locked, sale: Sale) {
  if (itemKind === 'service') await changeService(ctx, before, sale)
  else await changePack(ctx, itemKind, before, { enabled: sale.enabled })
  ctx.object('setting', objectOf(itemKind, id))
  ctx.note(
    `${ITEM_KINDS[itemKind]} ${before.name} (${id})`,
    changesOf<Record<string, unknown>>(before, sale, SALE),
  )
  return { id }
}

const SALE = {
  enabled: ITEM_FIELDS.enabled,
  renewable: ITEM_FIELDS.renewable,
  renewUntil: ITEM_FIELDS.renewUntil,
} as const
