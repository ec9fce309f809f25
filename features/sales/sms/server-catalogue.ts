// How packages of SMS are written, those for shops and those that agents pay from outside; features/sales/catalogue says who may.
import type { Ctx } from '#server/ctx.ts'
import { addNumbered, changeNumbered, lockNumbered, type Seen } from '#server/office/numbered.ts'
import { smsPackages, smsRechargePackages } from './tables.ts'

/** The tables are alike; each book prices its own. */
const TABLES = { sms: smsPackages, recharge: smsRechargePackages as unknown as typeof smsPackages }
export type PackKind = keyof typeof TABLES
export type PackRow = typeof smsPackages.$inferSelect
type Values = Omit<PackRow, 'id' | 'revision'>

export const addPack = (ctx: Ctx, kind: PackKind, values: Values): Promise<PackRow> =>
  addNumbered(ctx, TABLES[kind], values)

export const lockPack = (ctx: Ctx, kind: PackKind, seen: Seen): Promise<PackRow> =>
  lockNumbered(ctx, TABLES[kind], seen)

export const changePack = (ctx: Ctx, kind: PackKind, seen: Seen, values: Partial<Values>): Promise<void> =>
  changeNumbered(ctx, TABLES[kind], seen, values)
