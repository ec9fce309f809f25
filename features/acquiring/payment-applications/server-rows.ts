// Applications as people see them: the one of a shop with its papers, and the two lists.
import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { adviceFor } from '#features/acquiring/refusals/server-record.ts'
import { PAPER_SHOWN } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { verifications } from '#features/care/verification/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { regionsOf } from '#features/office/regions/server.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { In, Out } from '#kit/declare/op.ts'
import { COUNT_CAP } from '#kit/declare/page.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { together } from '#server/db.ts'
import {
  countUpTo,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  rowsAndTotal,
  skewedBy,
  sortedBy,
} from '#server/list.ts'
import { settingOf } from '#server/office/settings.ts'
import { found } from '#server/refuse.ts'
import { files } from '#server/tables.ts'
import type { paymentApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS, APPLICATIONS, REVIEWS } from './fields.ts'
import {
  APPLICATION_HOURS,
  HANDED_IN,
  PAPER_NAMES,
  PAPERS,
  type PaperName,
  papersFor,
  REVIEW_STATE_KEYS,
  reasonsText,
  refuseEdit,
  STEP_REFUSALS,
} from './rules.ts'
import { paymentApplications as applications } from './tables.ts'

export type Application = typeof applications.$inferSelect
type Shown = Out<typeof contract.ofShop>

/** The application of a shop that is not accepted yet. The shop's lock guards it. */
export async function findOpen(ctx: Ctx, merchantId: number): Promise<Application | undefined> {
  const [row] = await ctx.db
    .select()
    .from(applications)
    .where(
      and(
        eq(applications.merchantId, merchantId),
        sql`${applications.reviewState} is distinct from 'accepted'`,
        ownRows(ctx, applications.agentId),
      ),
    )
  return row
}

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [standing] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  found(standing)
  const [row, known] = await together([findOpen(ctx, merchantId), begun(ctx, merchantId)])
  if (!row) return shown(ctx, known)
  if (refuseEdit(row.state) !== null) return shown(ctx, row)
  // What the shop has got since is there, too.
  const papers = PAPER_NAMES.map(name => [name, row[name] ?? known[name]])
  return shown(ctx, { ...row, ...(Object.fromEntries(papers) as Record<PaperName, number | null>) })
}

export const details: Verb<typeof contract.details> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(applications)
    .where(and(eq(applications.id, id), ownRows(ctx, applications.agentId)))
  return shown(ctx, found(row))
}

type Begun = Pick<Application, 'merchantId' | 'payType' | 'phone' | 'email' | 'bankRegion'> &
  Pick<Application, 'bankName' | 'bankCode' | 'branchName' | 'branchNumber' | PaperName>

const NOTHING = {
  ...{ id: null, revision: 0, state: null, reviewState: null, reasons: {}, reviewNote: '' },
  ...{ submittedByName: '', submittedAt: null, handledByName: '', handledAt: null },
  ...{ reviewedByName: '', reviewedAt: null },
}

/** What is known already: the shop's papers in use, the phone of its verification, and the bank of what was accepted before. */
async function begun(ctx: Ctx, merchantId: number): Promise<Begun> {
  const [papers, [verified], [last]] = await together([
    ctx.db
      .select({ id: documents.id, kind: documents.kind })
      .from(documents)
      .where(
        and(
          eq(documents.merchantId, merchantId),
          eq(documents.state, 'current'),
          inArray(documents.kind, Object.values(PAPERS)),
          ownRows(ctx, documents.agentId),
        ),
      )
      .orderBy(desc(documents.id)),
    ctx.db
      .select({ phone: verifications.phone })
      .from(verifications)
      .where(and(eq(verifications.merchantId, merchantId), ownRows(ctx, verifications.agentId))),
    ctx.db
      .select()
      .from(applications)
      .where(and(eq(applications.merchantId, merchantId), ownRows(ctx, applications.agentId)))
      .orderBy(desc(applications.id))
      .limit(1),
  ])
  const ids = PAPER_NAMES.map(name => [name, papers.find(({ kind }) => kind === PAPERS[name])?.id ?? null])
  return {
    merchantId,
    payType: last?.payType ?? 'corporate',
    phone: last?.phone || verified?.phone || '',
    email: last?.email ?? '',
    bankRegion: last?.bankRegion ?? '',
    bankName: last?.bankName ?? '',
    bankCode: last?.bankCode ?? '',
    branchName: last?.branchName ?? '',
    branchNumber: last?.branchNumber ?? '',
    ...(Object.fromEntries(ids) as Record<PaperName, number | null>),
  }
}

async function shown(ctx: Ctx, row: Application | Begun): Promise<Shown> {
  const { merchantId } = row
  const [[shop], [identity], papers, regions, hours, advice] = await together([
    ctx.db
      .select({
        shopName: merchants.shopName,
        account: merchants.account,
        verificationStatus: merchants.verificationStatus,
        agentId: merchants.agentId,
        agentName: agents.companyName,
      })
      .from(merchants)
      .innerJoin(agents, eq(agents.id, merchants.agentId))
      .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId))),
    ctx.db
      .select({
        company: verifications.company,
        creditCode: verifications.creditCode,
        legalPerson: verifications.legalPerson,
        personInCharge: verifications.personInCharge,
        idNumberMasked: verifications.idNumberMasked,
      })
      .from(verifications)
      .where(and(eq(verifications.merchantId, merchantId), ownRows(ctx, verifications.agentId))),
    papersOf(ctx, row),
    regionsOf(ctx),
    settingOf(ctx, APPLICATION_HOURS),
    'id' in row ? adviceFor(ctx, row.id) : [],
  ])
  const { verificationStatus, ...about } = found(shop)
  const told = { ...NOTHING, ...row }
  const code = refuseEdit(told.state)
  return {
    ...{ ...told, ...about, papers, hours, advice },
    regionName: regions.regionName(row.bankRegion),
    identity: {
      ...{ company: '', creditCode: '', legalPerson: '', personInCharge: '', idNumberMasked: '' },
      ...identity,
      state: verificationStatus,
    },
    editRefusal: code && STEP_REFUSALS[code],
  }
}

async function papersOf(ctx: Ctx, row: Record<PaperName, number | null>): Promise<Shown['papers']> {
  const ids = PAPER_NAMES.flatMap(name => row[name] ?? [])
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select(PAPER_SHOWN)
    .from(documents)
    .leftJoin(files, eq(files.id, documents.fileId))
    .where(and(inArray(documents.id, ids), ownRows(ctx, documents.agentId)))
  return PAPER_NAMES.flatMap(name => rows.filter(({ id }) => id === row[name]).map(one => ({ name, ...one })))
}

/** The papers that its account asks for. */
export function papersIn(row: Pick<Application, 'payType' | PaperName>): number[] {
  return papersFor(row.payType).flatMap(name => row[name] ?? [])
}

const { regionName: _r, reason: _n, shopName: _s, account: _a, agentName: _g, ...KEPT } = APPLICATION_FIELDS
const ROW = {
  ...ownColumns(applications, keysIn(KEPT, 'row')),
  revision: applications.revision,
  bankRegion: applications.bankRegion,
  reasons: applications.reasons,
  shopName: merchants.shopName,
  account: merchants.account,
  agentName: agents.companyName,
}

export const list: Verb<typeof contract.list> = async (ctx, input) => {
  const { conditions, shopsCapped } = await searchShops(ctx, input, applications.merchantId)
  const sorted = sortedBy(input, { submittedAt: applications.submittedAt }, applications.id)
  const source: ListSource = {
    name: 'payment applications',
    table: applications,
    conditions: [
      ...ownCondition(ctx, applications.agentId),
      // Literal, as its index has it.
      { key: 'handed in', sql: sql`${applications.state} <> 'draft'`, values: {} },
      { key: 'submitted', sql: isNotNull(applications.submittedAt), values: {} },
      ...filtered(APPLICATIONS, input, {
        state: skewedBy('state', applications.state),
        payType: applications.payType,
        submitted: applications.submittedAt,
        agentId: applications.agentId,
      }),
      ...conditions,
    ],
    ...sorted,
  }
  const [page, ...counts] = await together([
    rowsOf(ctx, source, input),
    ...HANDED_IN.map(state => counted(ctx, eq(applications.state, state))),
  ])
  const [pending = 0, approved = 0, rejected = 0] = counts
  return { ...page, counts: { pending, approved, rejected }, shopsCapped }
}

export const reviews: Verb<typeof contract.reviews> = async (ctx, input) => {
  const { conditions, shopsCapped } = await searchShops(ctx, input, applications.merchantId)
  const sorted = sortedBy(input, { handledAt: applications.handledAt }, applications.id)
  const source: ListSource = {
    name: 'payment reviews',
    table: applications,
    conditions: [
      ...ownCondition(ctx, applications.agentId),
      { key: 'at the service', sql: isNotNull(applications.reviewState), values: {} },
      { key: 'handled', sql: isNotNull(applications.handledAt), values: {} },
      ...filtered(REVIEWS, input, {
        reviewState: skewedBy('reviewState', applications.reviewState),
        submitted: applications.submittedAt,
        agentId: applications.agentId,
      }),
      ...conditions,
    ],
    ...sorted,
  }
  const [page, ...counts] = await together([
    rowsOf(ctx, source, input),
    ...REVIEW_STATE_KEYS.map(state => counted(ctx, eq(applications.reviewState, state))),
  ])
  const [waiting = 0, accepting = 0, accepted = 0, rejected = 0] = counts
  return { ...page, counts: { waiting, accepting, accepted, rejected }, shopsCapped }
}

async function rowsOf(
  ctx: Ctx,
  source: ListSource,
  input: In<typeof contract.list> | In<typeof contract.reviews>,
) {
  const [{ rows, ...total }, regions] = await together([
    rowsAndTotal(ctx, source, input, page =>
      ctx.db
        .with(page)
        .select(ROW)
        .from(applications)
        .innerJoin(merchants, eq(merchants.id, applications.merchantId))
        .innerJoin(agents, eq(agents.id, applications.agentId))
        .innerJoin(page, eq(page.id, applications.id))
        .orderBy(...source.order)
        .$dynamic(),
    ),
    regionsOf(ctx),
  ])
  return {
    ...total,
    rows: rows.map(({ reasons, bankRegion, ...row }) => ({
      ...row,
      regionName: regions.regionName(bankRegion),
      reason: reasonsText(reasons),
    })),
  }
}

async function counted(ctx: Ctx, where: ReturnType<typeof and>): Promise<number> {
  return Math.min(
    await countUpTo(ctx, applications, and(where, ownRows(ctx, applications.agentId))),
    COUNT_CAP,
  )
}
