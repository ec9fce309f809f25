// Services and packages as the operator keeps them: what there is, what of it is sold, in which order, and its first price.
import { and, asc, count, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { ASKED_REFUSALS, firstRisks, refuseUnasked, unitOf } from '#features/office/prices/rules.ts'
import { beginPrice, priceAt } from '#features/office/prices/server.ts'
import { isRenewed, SERVICE_UNITS } from '#features/sales/services/rules.ts'
import {
  addService,
  changeService,
  lockService,
  type ServiceRow,
} from '#features/sales/services/server-catalogue.ts'
import { merchantServices, services } from '#features/sales/services/tables.ts'
import {
  addPack,
  changePack,
  lockPack,
  type PackKind,
  type PackRow,
} from '#features/sales/sms/server-catalogue.ts'
import { smsPackages, smsRechargePackages } from '#features/sales/sms/tables.ts'
import { keysIn, picked } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { amountText, countText } from '#kit/money.ts'
import { type Ctx, changesOf, type Verb } from '#server/ctx.ts'
import { found, refuse, refuseBroken, refuseCommon, staffAlone } from '#server/refuse.ts'
import type { catalogue as contract } from './contract.ts'
import { GROUP_FIELDS, ITEM_FIELDS } from './fields.ts'
import {
  brokenItemForm,
  CATALOGUE_REFUSALS,
  ITEM_KINDS,
  ITEM_PARTS,
  type ItemKind,
  itemStateOf,
  UNIT_NAMES,
} from './rules.ts'

type Row = Out<typeof contract.items>['rows'][number]
type Form = In<typeof contract.saveItem>

const groups = alias(services, 'groups')

/** Tens of rows, read as they are. */
export const listItems: Verb<typeof contract.items> = async (ctx, input) => {
  staffAlone(ctx)
  const all = [
    ...(await serviceRows(ctx)),
    ...(await packRows(ctx, 'sms')),
    ...(await packRows(ctx, 'recharge')),
  ]
  const { search = '', itemKind, state, page, size } = input
  const rows = all.filter(
    row =>
      (itemKind === undefined || row.itemKind === itemKind) &&
      (state === undefined || row.state === state) &&
      row.name.toLowerCase().includes(search.trim().toLowerCase()),
  )
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length, totalCapped: false }
}

async function serviceRows(ctx: Ctx): Promise<Row[]> {
  const held = ctx.db
    .select({ serviceId: merchantServices.serviceId, shops: count().as('shops') })
    .from(merchantServices)
    .where(gt(merchantServices.quantity, 0))
    .groupBy(merchantServices.serviceId)
    .as('held')
  const rows = await ctx.db
    .select({
      service: services,
      groupName: groups.name,
      cents: priceAt('service', services.id, ITEM_PARTS.service),
      shops: sql<number>`coalesce(${held.shops}, 0)`.mapWith(Number),
    })
    .from(services)
    .innerJoin(groups, eq(groups.id, services.parentId))
    .leftJoin(held, eq(held.serviceId, services.id))
    .orderBy(asc(groups.position), asc(groups.id), asc(services.position), asc(services.id))
  const now = ctx.now.toISOString()
  return rows.map(({ service, groupName, cents, shops }) => ({
    ...service,
    itemKind: 'service' as const,
    groupId: service.parentId,
    serviceUnit: service.unit,
    content: `${groupName} · ${UNIT_NAMES[service.unit]}`,
    pieces: null,
    cents,
    unit: unitOf('service', ITEM_PARTS.service, SERVICE_UNITS[service.unit]),
    state: itemStateOf({ ...service, cents, renewed: isRenewed(service, now) }),
    shops,
  }))
}

async function packRows(ctx: Ctx, itemKind: PackKind): Promise<Row[]> {
  const table = itemKind === 'sms' ? smsPackages : smsRechargePackages
  const rows = await ctx.db
    .select({ pack: table, cents: priceAt(itemKind, table.id, ITEM_PARTS[itemKind]) })
    .from(table)
    .orderBy(asc(table.position), asc(table.id))
  return rows.map(({ pack, cents }) => ({
    ...pack,
    ...{ itemKind, groupId: null, code: '', serviceUnit: null, headOnly: false, remark: '', shops: null },
    renewUntil: null,
    content: countText(pack.pieces, '条'),
    cents,
    unit: unitOf(itemKind, ITEM_PARTS[itemKind]),
    state: itemStateOf({ ...pack, cents, renewed: false }),
  }))
}

export const saveItem: Verb<typeof contract.saveItem> = async (ctx, form) => {
  staffAlone(ctx)
  const { itemKind, seen } = form
  const before = seen && (await lockItem(ctx, itemKind, seen))
  refuseBroken(ITEM_FIELDS, form)
  const [broken] = brokenItemForm({ ...form, kind: itemKind }, before === null)
  if (broken) refuse(broken.code, CATALOGUE_REFUSALS, { field: broken.field })
  if (before === null)
    refuse(refuseUnasked(firstRisks([form.priceCents]), form.answered), ASKED_REFUSALS, {
      field: 'priceCents',
    })
  await refuseTaken(ctx, form)
  const { id, was, is } =
    itemKind === 'service'
      ? await saveService(ctx, form, before as ServiceRow | null)
      : await savePack(ctx, itemKind, form, before as PackRow | null)
  const changes = changesOf(was, is, LOGGED)
  const { priceCents } = form
  if (before === null && priceCents !== null) {
    await beginPrice(ctx, { book: itemKind, item: id, part: ITEM_PARTS[itemKind], cents: priceCents })
    const text = amountText(priceCents, itemKind === 'recharge' ? '元' : '代币')
    changes.push({ name: '价格', before: null, after: text })
  }
  if (changes.length === 0) ctx.nothingChanged()
  ctx.object('setting', objectOf(itemKind, id))
  ctx.note(`${ITEM_KINDS[itemKind]} ${form.name} (${id})`, changes)
  return { id }
}

const LOGGED = picked(ITEM_FIELDS, keysIn(ITEM_FIELDS, 'log'))
/** What a new one was before. */
const NOTHING = Object.fromEntries(Object.keys(LOGGED).map(key => [key, null]))
/** By which the log tells its history. */
export const objectOf = (kind: ItemKind, id: number) => `item ${kind} ${id}`

export function lockItem(ctx: Ctx, kind: ItemKind, seen: { id: number; revision: number }) {
  return kind === 'service' ? lockService(ctx, seen) : lockPack(ctx, kind, seen)
}

type Logged = Record<string, unknown>
type Saved = { id: number; was: Logged; is: Logged }

async function saveService(ctx: Ctx, form: Form, before: ServiceRow | null): Promise<Saved> {
  const [group, former] = [await groupOf(ctx, form.groupId), before && (await groupOf(ctx, before.parentId))]
  const values = {
    ...picked(form, ['name', 'remark', 'headOnly']),
    parentId: group.id,
    position: form.position ?? 0,
  }
  if (before) {
    await changeService(ctx, before, values)
    return {
      id: before.id,
      was: { ...before, groupName: former?.name },
      is: { ...values, groupName: group.name },
    }
  }
  const fixed = { code: form.code.trim(), unit: form.serviceUnit, enabled: true }
  const { id } = await addService(ctx, { ...values, ...fixed })
  const is = { ...values, groupName: group.name, code: fixed.code, serviceUnit: fixed.unit }
  return { id, was: NOTHING, is }
}

async function groupOf(ctx: Ctx, id: number | null): Promise<ServiceRow> {
  const [group] = await ctx.db
    .select()
    .from(services)
    .where(and(eq(services.id, id ?? 0), isNull(services.parentId)))
  if (!group) refuse('GROUP_REQUIRED', CATALOGUE_REFUSALS, { field: 'groupId' })
  return found(group)
}

async function savePack(ctx: Ctx, kind: PackKind, form: Form, before: PackRow | null): Promise<Saved> {
  const values = { name: form.name, position: form.position ?? 0 }
  if (before) {
    await changePack(ctx, kind, before, values)
    return { id: before.id, was: { ...before }, is: values }
  }
  const pieces = form.pieces ?? 0
  const { id } = await addPack(ctx, kind, { ...values, pieces, enabled: true })
  return { id, was: NOTHING, is: { ...values, pieces } }
}

async function refuseTaken(ctx: Ctx, { itemKind, seen, name, code }: Form): Promise<void> {
  if (itemKind === 'service') {
    const rows = await ctx.db.select().from(services).where(isNotNull(services.parentId))
    const others = rows.filter(({ id }) => id !== seen?.id)
    if (others.some(other => other.name === name)) refuse('NAME_TAKEN', CATALOGUE_REFUSALS, { field: 'name' })
    if (!seen && others.some(other => other.code === code.trim()))
      refuse('CODE_TAKEN', CATALOGUE_REFUSALS, { field: 'code' })
    return
  }
  const table = itemKind === 'sms' ? smsPackages : smsRechargePackages
  const rows = await ctx.db.select({ id: table.id }).from(table).where(eq(table.name, name))
  if (rows.some(({ id }) => id !== seen?.id)) refuse('NAME_TAKEN', CATALOGUE_REFUSALS, { field: 'name' })
}

export const listGroups: Verb<typeof contract.groups> = async ctx => {
  staffAlone(ctx)
  const counted = ctx.db
    .select({ parentId: services.parentId, services: count().as('services') })
    .from(services)
    .groupBy(services.parentId)
    .as('counted')
  const rows = await ctx.db
    .select({ group: groups, services: sql<number>`coalesce(${counted.services}, 0)`.mapWith(Number) })
    .from(groups)
    .leftJoin(counted, eq(counted.parentId, groups.id))
    .where(isNull(groups.parentId))
    .orderBy(asc(groups.position), asc(groups.id))
  return { rows: rows.map(({ group, services: held }) => ({ ...group, services: held })) }
}

export const saveGroup: Verb<typeof contract.saveGroup> = async (ctx, { seen, ...form }) => {
  staffAlone(ctx)
  refuseBroken(GROUP_FIELDS, form)
  const [same] = await ctx.db
    .select({ id: services.id })
    .from(services)
    .where(and(isNull(services.parentId), eq(services.name, form.name)))
  if (same && same.id !== seen?.id) refuse('NAME_TAKEN', CATALOGUE_REFUSALS, { field: 'name' })
  const values = { ...form, position: form.position ?? 0 }
  const before = seen && (await lockService(ctx, seen))
  if (before && before.parentId !== null) refuseCommon('NOT_FOUND')
  if (before) await changeService(ctx, before, values)
  const id = before?.id ?? (await addGroup(ctx, values))
  const changes = changesOf<Logged>(before ? { ...before } : NOTHING, values, GROUP_LOGGED)
  if (changes.length === 0) ctx.nothingChanged()
  ctx.object('setting', `service-group ${id}`)
  ctx.note(`${form.name} (${id})`, changes)
  return { id }
}

const GROUP_LOGGED = picked(GROUP_FIELDS, keysIn(GROUP_FIELDS, 'log'))

async function addGroup(
  ctx: Ctx,
  values: { name: string; remark: string; position: number },
): Promise<number> {
  const common = { parentId: null, unit: 'year', headOnly: false, enabled: true } as const
  // Nothing knows a group by its code but that of operators, which there is.
  const { id } = await addService(ctx, { ...values, ...common, code: '' })
  return id
}
