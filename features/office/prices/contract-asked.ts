// What every operation that writes a price down is told beside it.
import * as z from '#kit/declare/z.ts'
import { PRICE_RISKS, type PriceRisk } from './rules.ts'

export const risks = z.array(z.enum(Object.keys(PRICE_RISKS) as [PriceRisk, ...PriceRisk[]]))

/** What of the price somebody was asked about and wants. */
export const answered = risks.default([])
