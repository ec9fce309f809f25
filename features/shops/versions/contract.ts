import { op } from '#kit/declare/op.ts'
import * as z from '#kit/declare/z.ts'
import { PRICING_RULES } from './rules.ts'

/** What beside the discount decides an item's price for this buyer now: see `priceLine` in rules.ts. */
export const Conditions = z.object({
  /** The least that one may cost, by part. */
  minimums: z.record(z.string(), z.number()),
  offers: z.array(
    z.object({
      name: z.string(),
      part: z.string().nullable(),
      basisPoints: z.number().nullable(),
      cents: z.number().nullable(),
      /** What is given beside what is paid for, in 1/10,000 of it. */
      bonusBasisPoints: z.number().nullable(),
      /** Pieces of SMS that are given with each package. */
      bonusPieces: z.number().nullable(),
    }),
  ),
})

export const Version = z.object({
  id: z.number(),
  packageId: z.string(),
  code: z.string(),
  name: z.string(),
  kind: z.union([z.literal(1), z.literal(2)]),
  pricingRule: z.enum(PRICING_RULES),
  priceYearCents: z.number().nullable(),
  priceMonthCents: z.number().nullable(),
  priceLifetimeCents: z.number().nullable(),
  isPack: z.boolean(),
  /** What beside the discount decides this buyer's price now. */
  conditions: Conditions,
  offeredOnAdd: z.boolean(),
  remark: z.string(),
  /** What it contains, by name, in its own order. */
  functions: z.array(z.string()),
})

export const versions = {
  /** What the agent may sell or renew, in the catalogue's order; prices in 1/100 token before discount. */
  list: op(
    { permission: 'session', forKeys: true },
    { method: 'GET', path: '/versions', summary: 'Software versions and prices' },
  ).output(z.object({ rows: z.array(Version) })),
}
