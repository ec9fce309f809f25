// Demo data of an empty database: accounts with the password demo2026, the shops they sell to, and two years of their business.
import pg from 'pg'
import { demo as acquirerOnboardings } from '#features/acquiring/acquirer-onboardings/demo.ts'
import { demo as onboardings } from '#features/acquiring/onboardings/demo.ts'
import { demo as ownerPapers } from '#features/acquiring/owner-papers/demo.ts'
import { demo as paymentApplications } from '#features/acquiring/payment-applications/demo.ts'
import { afterwards as makeKeys } from '#features/agencies/api-keys/demo.ts'
import { afterwards as noteOldCalls } from '#features/agencies/compat-access/demo.ts'
import { demo as partnerApplications } from '#features/agencies/partner-applications/demo.ts'
import { demo as partnerClosing } from '#features/agencies/partner-closing/demo.ts'
import { demo as partners } from '#features/agencies/partners/demo.ts'
import { demo as partnerDesk } from '#features/agencies/partners/desk/demo.ts'
import { afterwards as makeEndpoints } from '#features/agencies/webhooks/demo.ts'
import { demo as approvals } from '#features/care/approvals/demo.ts'
import { demo as campaigns } from '#features/care/campaigns/demo.ts'
import { demo as documents } from '#features/care/documents/demo.ts'
import { demo as feedback } from '#features/care/feedback/demo.ts'
import { demo as renewals } from '#features/care/renewals/demo.ts'
import { afterwards as tellOfImports } from '#features/care/shop-import/demo.ts'
import { demo as tableClearing } from '#features/care/table-clearing/demo.ts'
import { demo as threads } from '#features/care/threads/demo.ts'
import { demo as verification } from '#features/care/verification/demo.ts'
import { demo as ledger, writeLedger } from '#features/money/ledger/demo.ts'
import { demo as access } from '#features/office/access/demo.ts'
import { afterwards as tellNews } from '#features/office/content/demo.ts'
import { demo as priceDesk } from '#features/office/prices/desk/demo.ts'
import { demo as views } from '#features/office/views/demo.ts'
import { demo as agencyExports } from '#features/overview/agency-exports/demo.ts'
import { demo as exports } from '#features/overview/exports/demo.ts'
import { afterwards as noteInbox } from '#features/overview/inbox/demo.ts'
import { afterwards as planIncome } from '#features/overview/insights/demo.ts'
import { afterwards as logDeeds } from '#features/overview/operation-log/demo.ts'
import { demo as personErasures } from '#features/overview/person-erasures/demo.ts'
import { demo as labels } from '#features/print/labels/demo.ts'
import { demo as receipts } from '#features/print/receipts/demo.ts'
import { demo as programApplications } from '#features/programs/program-applications/demo.ts'
import { demo as programFlows } from '#features/programs/program-flow/demo.ts'
import { demo as programProfiles } from '#features/programs/program-profile/demo.ts'
import { demo as programVersions } from '#features/programs/program-versions/demo.ts'
import { demo as releaseTrains } from '#features/programs/release-trains/demo.ts'
import { demo as aftersales } from '#features/sales/aftersales/demo.ts'
import { afterwards as keepCatalogue } from '#features/sales/catalogue/demo.ts'
import { demo as deposits } from '#features/sales/deposits/demo.ts'
import { demo as hardware } from '#features/sales/hardware/demo.ts'
import { demo as margins } from '#features/sales/margins/demo.ts'
import { demo as payments, afterwards as tellOfPayments } from '#features/sales/payments/demo.ts'
import { demo as purchases } from '#features/sales/purchases/demo.ts'
import { afterwards as countShops, demo as selling } from '#features/sales/selling/demo.ts'
import { demo as services } from '#features/sales/services/demo.ts'
import { demo as settlement } from '#features/sales/settlement/demo.ts'
import { demo as shopPages } from '#features/sales/shop-pages/demo.ts'
import { demo as sms } from '#features/sales/sms/demo.ts'
import { afterwards as countMessages, demo as messages } from '#features/shops/messages/desk/demo.ts'
import { demo as consultations } from '#features/support/consultations/demo.ts'
import { demo as demands, afterwards as weighDemands } from '#features/support/demands/demo.ts'
import { demo as downloads } from '#features/support/downloads/demo.ts'
import { afterwards as countHelp, demo as help } from '#features/support/help/demo.ts'
import { demo as workOrders } from '#features/support/work-orders/demo.ts'
import { makeRandom } from '#kit/random.ts'
import { type Demo, History } from '#server/demo.ts'

/** Each says what happens when. */
const DEMOS = [
  access,
  ledger,
  selling,
  services,
  sms,
  payments,
  messages,
  campaigns,
  purchases,
  hardware,
  priceDesk,
  settlement,
  margins,
  shopPages,
  aftersales,
  deposits,
  tableClearing,
  renewals,
  approvals,
  documents,
  verification,
  paymentApplications,
  onboardings,
  acquirerOnboardings,
  ownerPapers,
  programApplications,
  programFlows,
  programProfiles,
  programVersions,
  releaseTrains,
  views,
  exports,
  consultations,
  partnerApplications,
  feedback,
  help,
  downloads,
  demands,
  threads,
  workOrders,
  labels,
  receipts,
  partners,
  partnerClosing,
  partnerDesk,
  agencyExports,
  personErasures,
]
/** What is made of the rows of all. */
const AFTERWARDS = [
  tellNews,
  keepCatalogue,
  countHelp,
  countShops,
  writeLedger,
  countMessages,
  tellOfPayments,
  tellOfImports,
  makeKeys,
  noteOldCalls,
  makeEndpoints,
  noteInbox,
  planIncome,
  weighDemands,
  logDeeds,
]
const LOCK = 7_211_003

/**
 * Fills a database that has no agent yet; answers whether it did. One transaction: a killed start leaves nothing half-done.
 * Pictures go to the storage of `filesAt`; without it there are none.
 */
export async function createDemoData(
  ownerUrl: string,
  { now = new Date(), filesAt = null }: { now?: Date; filesAt?: Demo['filesAt'] } = {},
): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c timezone=UTC -c app.scope=all' })
  await client.connect()
  try {
    await client.query('begin')
    // Two first starts at once: the second waits here and then finds the first one's agents.
    await client.query('select pg_advisory_xact_lock($1)', [LOCK])
    const { rows } = await client.query<{ some: boolean }>('select exists (select 1 from agents) as some')
    if (rows[0]?.some) return false
    const history = new History(now)
    const demo = { client, random: makeRandom(2026), now, filesAt, history }
    for (const tell of DEMOS) await tell(demo)
    history.play()
    await history.write(client)
    for (const add of AFTERWARDS) await add(demo)
    await client.query('commit')
    return true
  } finally {
    await client.end()
  }
}
