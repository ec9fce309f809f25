import { z } from 'zod'
import { Conditions } from '#features/prices/contract.ts'
import { op } from '#kit/op.ts'
import { PRICING_RULES } from './rules.ts'

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
})

export const versions = {
  /** The whole catalogue in its order; prices in 1/100 token before discount. */
  list: op(
    { permission: 'session', forKeys: true },
    { method: 'GET', path: '/versions', summary: 'Software versions and prices' },
  ).output(z.object({ rows: z.array(Version) })),
}
