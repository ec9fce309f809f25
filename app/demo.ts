// Demo data of an empty database: five accounts with the password demo2026, and the shops they sell to.
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { demo as access } from '#features/access/demo.ts'
import { demo as campaigns } from '#features/campaigns/demo.ts'
import { demo as consultations } from '#features/consultations/demo.ts'
import { demo as feedback } from '#features/feedback/demo.ts'
import { demo as hardware } from '#features/hardware/demo.ts'
import { demo as ledger } from '#features/ledger/demo.ts'
import { demo as messages } from '#features/messages/demo.ts'
import { demo as payments } from '#features/payments/demo.ts'
import { demo as purchases } from '#features/purchases/demo.ts'
import { demo as renewals } from '#features/renewals/demo.ts'
import { demo as selling } from '#features/selling/demo.ts'
import { makeRandom } from '#kit/random.ts'

export const DEMO_ACCOUNTS = [
  ['10001', '运营商（代理商 1）'],
  ['10090', '厂商员工（代理商 90）'],
  ['20001', '代理商，120 家商户'],
  ['2000101', '20001 的子账号，无新增和查看商户权限'],
  ['20002', '另一家代理商'],
  ['20003', '20001 的下级代理商，8 家商户'],
] as const

/** In the order of what happened: shops are there before messages are sent to them, and credit was used before more is paid. */
const DEMOS = [
  access,
  ledger,
  selling,
  hardware,
  purchases,
  renewals,
  messages,
  campaigns,
  consultations,
  feedback,
  payments,
]
const LOCK = 7_211_003

/**
 * Fills a database that has no agent yet; answers whether it did. One transaction: a killed start leaves nothing half-done.
 * Pictures are written under `dataDir`; without it there are none.
 */
export async function createDemoData(
  ownerUrl: string,
  { now = new Date(), dataDir = null }: { now?: Date; dataDir?: string | null } = {},
): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c timezone=UTC -c app.scope=all' })
  await client.connect()
  try {
    await client.query('begin')
    // Two first starts at once: the second waits here and then finds the first one's agents.
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const { rows } = await client.query<{ some: boolean }>('select exists (select 1 from agents) as some')
    if (rows[0]?.some) return false
    const demo = { client, db: drizzle(client), random: makeRandom(2026), now, dataDir }
    for (const create of DEMOS) await create(demo)
    await client.query('commit')
    return true
  } finally {
    await client.end()
  }
}
