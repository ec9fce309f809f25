import { z } from 'zod'
import { op } from '#kit/op.ts'
import { TILES } from './rules.ts'

const Days = z.object({ today: z.number(), yesterday: z.number() })

export const dashboard = {
  /**
   * Orders that stand and shops that were registered today and yesterday (days of Asia/Shanghai), of all agents for vendor
   * staff. Each number is the total of its list under the filters of `TILE_LISTS`.
   */
  figures: op(
    { permission: 'dashboard.figures' },
    { method: 'GET', path: '/dashboard/figures', summary: 'Counts of today and yesterday' },
  ).output(
    z.object({
      today: z.string(),
      yesterday: z.string(),
      tiles: z.object(
        Object.fromEntries(TILES.map(tile => [tile, Days])) as Record<(typeof TILES)[number], typeof Days>,
      ),
    }),
  ),
  /** Sums of CHART_DAYS days in their order: those that look back end with today, `expiring` begins with it. All agents' for vendor staff. */
  charts: op(
    { permission: 'dashboard.figures' },
    {
      method: 'GET',
      path: '/dashboard/charts',
      summary: 'Sales, new shops, SMS use and ending terms by day',
    },
  ).output(
    z.object({
      today: z.string(),
      /** 1/100 token of orders that stand. */
      versionCents: z.array(z.number()),
      serviceCents: z.array(z.number()),
      smsCents: z.array(z.number()),
      /** Yuan in fen that agents paid from outside for their own SMS credit. */
      rechargeFen: z.array(z.number()),
      registered: z.array(z.number()),
      /** Segments that the agent and its shops paid for; for vendor staff also those of the vendor. */
      segments: z.array(z.number()),
      /** Shops whose term ends on each coming day. */
      expiring: z.array(z.number()),
    }),
  ),
}
