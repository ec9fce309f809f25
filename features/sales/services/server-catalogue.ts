// How services and their groups are written; features/sales/catalogue says who may and what may stand there.
import type { Ctx } from '#server/ctx.ts'
import { addNumbered, changeNumbered, lockNumbered, type Seen } from '#server/office/numbered.ts'
import { services } from './tables.ts'

export type ServiceRow = typeof services.$inferSelect
/** What the operator says of a service; how far it is sold is said apart. */
type Values = Omit<ServiceRow, 'id' | 'revision' | 'renewable' | 'renewUntil'>
type Changed = Partial<Values & Pick<ServiceRow, 'renewable' | 'renewUntil'>>

/** Without a price, so that nobody can buy it yet; a group has none. */
export const addService = (ctx: Ctx, values: Values): Promise<ServiceRow> =>
  addNumbered(ctx, services, values)

export const lockService = (ctx: Ctx, seen: Seen): Promise<ServiceRow> => lockNumbered(ctx, services, seen)

export const changeService = (ctx: Ctx, seen: Seen, values: Changed): Promise<void> =>
  changeNumbered(ctx, services, seen, values)
