import { z } from 'zod'

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
    }),
  ),
})
