import { op } from '#kit/declare/op.ts'
import * as z from '#kit/declare/z.ts'
import { PAY_CHANNELS } from '#kit/ports/channels.ts'
import { DUTY_KEYS, TILES } from './rules.ts'

const Compared = z.object({ now: z.array(z.number()), before: z.array(z.number()) })
const Days = z.object({ today: z.number(), yesterday: z.number() })

export const dashboard = {
  /** What waits for the acting account today, the most pressing first; what counts nothing is left out. */
  todo: op(
    { permission: 'session' },
    { method: 'GET', path: '/dashboard/todo', summary: 'What is to be done today, with what hangs on it' },
  ).output(
    z.object({
      today: z.string(),
      /** There is no shop yet, so that nothing could ever have waited. */
      isFresh: z.boolean(),
      items: z.array(
        z.object({
          key: z.enum(DUTY_KEYS),
          /** Rows of the list under the filters of `MORNING_DUTIES`; of a balance, what is left: 1/100 token, or pieces. */
          count: z.number(),
          capped: z.boolean(),
          /** 1/100 token, or fen, as `MORNING_DUTIES` says; of the counted rows. */
          cents: z.number().nullable(),
          /** Since when the oldest row waits; null where nobody waits. */
          oldestAt: z.string().nullable(),
        }),
      ),
    }),
  ),
  /**
   * Orders that stand and shops that were registered today and yesterday (days of Asia/Shanghai), of all agents for vendor
   * staff. Each number is the total of its list under the filters of `TILE_LISTS`.
   */
  figures: op(
    { permission: 'dashboard.figures', mayLag: true },
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
  /** This month until today beside the same days of the last, day by day, as `monthsCompared` has them. All agents' for vendor staff. */
  month: op(
    { permission: 'dashboard.figures', mayLag: true },
    { method: 'GET', path: '/dashboard/month', summary: 'This month against the last, by day' },
  ).output(
    z.object({
      today: z.string(),
      /** 销售额, 1/100 token. */
      salesCents: Compared,
      /** What is left of one's own orders, in fen; null where that is not for this account, or no price was ever set. */
      profitFen: Compared.nullable(),
      registered: Compared,
      /** Shops whose term ended on the day, and those of them that were renewed; null for vendor staff. */
      due: Compared.nullable(),
      renewed: Compared.nullable(),
    }),
  ),
  /** Money that came from outside today and this month, and whether the ledger's newest entries hold its promises. */
  office: op(
    { permission: 'paymentDesk.manage', mayLag: true },
    {
      method: 'GET',
      path: '/dashboard/office',
      summary: 'Payments of today and the month, and ledger drift',
    },
  ).output(
    z.object({
      today: z.string(),
      /** Paid orders of payment by the day on which they were made, as their list filters. */
      paid: z.array(
        z.object({
          channel: z.enum(PAY_CHANNELS),
          todayFen: z.number(),
          todayCount: z.number(),
          monthFen: z.number(),
          monthCount: z.number(),
        }),
      ),
      /** Places among the newest entries where something is wrong; 0 is sound. */
      drift: z.number(),
      driftAmong: z.number(),
    }),
  ),
  /** Sums of CHART_DAYS days in their order: those that look back end with today, `expiring` begins with it. All agents' for vendor staff. */
  charts: op(
    { permission: 'dashboard.figures', mayLag: true },
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
