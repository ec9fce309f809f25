// Applications as people see them: the one of a shop with its papers, and the list.
import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { PAPER_SHOWN } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { verifications } from '#features/care/verification/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { searchShops } from '#features/sales/orders/server-search.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { Out } from '#kit/declare/op.ts'
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
import type { programApplications as contract } from './contract.ts'
import { APPLICATION_FIELDS, APPLICATIONS } from './fields.ts'
import {
  type Certificate,
  FLOW_NUMBERS,
  PAPER_NAMES,
  PAPERS,
  type PaperName,
  PROGRAM_APPLICATION_HOURS,
  refuseEdit,
  STATE_KEYS,
  STEP_REFUSALS,
} from './rules.ts'
import { programApplications as applications } from './tables.ts'

export type Application = typeof applications.$inferSelect
type Shown = Out<typeof contract.ofShop>

/** The application of a shop that nobody deleted. The shop's lock guards it. */
export async function findLive(ctx: Ctx, merchantId: number): Promise<Application | undefined> {
  const [row] = await ctx.db
    .select()
    .from(applications)
    .where(
      and(
        eq(applications.merchantId, merchantId),
        isNull(applications.deletedAt),
        ownRows(ctx, applications.agentId),
      ),
    )
  return row
}

/** Staff who decide mend what waits for them. */
export const reviews = (ctx: Ctx) =>
  ctx.actor.isVendorStaff && ctx.actor.permissions.has('programApplications.decide')

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [standing] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  found(standing)
  const [row, known] = await together([findLive(ctx, merchantId), begun(ctx, merchantId)])
  if (!row) return shown(ctx, known)
  if (refuseEdit(row, reviews(ctx)) !== null) return shown(ctx, row)
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

const NOTHING = {
  kind: 'registration',
  ...{ id: null, revision: 0, state: null, ...FLOW_NUMBERS.review },
  ...{ legalPersonWechatMasked: '', servicePhone: '', programName: '', programType: null, intro: '' },
  ...{ categoryId: null, categoryName: '', alternative: 0, certificates: [], reason: '', createdAt: null },
  ...{ submittedByName: '', submittedAt: null, handledByName: '', handledAt: null },
  ...{ deletedByName: '', deletedAt: null },
} as const

type Begun = typeof NOTHING &
  Pick<Application, 'merchantId' | 'companyName' | 'companyCode' | 'legalPersonName' | PaperName>

/** What is known already: the shop's papers in use, and who it is by its verification data. */
async function begun(ctx: Ctx, merchantId: number): Promise<Begun> {
  const [papers, [verified]] = await together([
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
      .select({
        companyName: verifications.company,
        companyCode: verifications.creditCode,
        legalPersonName: verifications.legalPerson,
      })
      .from(verifications)
      .where(and(eq(verifications.merchantId, merchantId), ownRows(ctx, verifications.agentId))),
  ])
  const ids = PAPER_NAMES.map(name => [name, papers.find(({ kind }) => kind === PAPERS[name])?.id ?? null])
  return {
    ...NOTHING,
    merchantId,
    ...(verified ?? { companyName: '', companyCode: '', legalPersonName: '' }),
    ...(Object.fromEntries(ids) as Record<PaperName, number | null>),
  }
}

async function shown(ctx: Ctx, row: Application | Begun): Promise<Shown> {
  const { merchantId } = row
  const [[shop], papers, hours] = await together([
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
    papersOf(ctx, row),
    settingOf(ctx, PROGRAM_APPLICATION_HOURS),
  ])
  const code = row.state === null ? null : refuseEdit({ ...row, state: row.state }, reviews(ctx))
  return {
    ...row,
    ...found(shop),
    hours,
    papers: PAPER_NAMES.flatMap(name =>
      papers.filter(({ id }) => id === row[name]).map(one => ({ name, ...one })),
    ),
    certificates: row.certificates.flatMap(({ name, documentId }) =>
      papers.filter(({ id }) => id === documentId).map(one => ({ ...one, name })),
    ),
    editRefusal: code && STEP_REFUSALS[code],
  }
}

type Papered = Record<PaperName, number | null> & { certificates: readonly Certificate[] }

async function papersOf(ctx: Ctx, row: Papered) {
  const ids = papersIn(row)
  if (ids.length === 0) return []
  return ctx.db
    .select(PAPER_SHOWN)
    .from(documents)
    .leftJoin(files, eq(files.id, documents.fileId))
    .where(and(inArray(documents.id, ids), ownRows(ctx, documents.agentId)))
}

/** All papers of it, each once. */
export function papersIn(row: Papered): number[] {
  const ids = [...PAPER_NAMES.map(name => row[name]), ...row.certificates.map(one => one.documentId)]
  return [...new Set(ids.filter(id => id !== null))]
}

const { shopName: _s, account: _a, agentName: _g, ...KEPT } = APPLICATION_FIELDS
const ROW = {
  ...ownColumns(applications, keysIn(KEPT, 'row')),
  revision: applications.revision,
  shopName: merchants.shopName,
  account: merchants.account,
  agentName: agents.companyName,
}

// Literal, as the indexes have it.
const LIVE = sql`${applications.deletedAt} is null`
const DELETED = sql`${applications.deletedAt} is not null`

export const list: Verb<typeof contract.list> = async (ctx, input) => {
  const { conditions, shopsCapped } = await searchShops(ctx, input, applications.merchantId)
  const source: ListSource = {
    name: 'program applications',
    table: applications,
    conditions: [
      ...ownCondition(ctx, applications.agentId),
      input.deleted ? { key: 'deleted', sql: DELETED, values: {} } : { key: 'live', sql: LIVE, values: {} },
      ...filtered(APPLICATIONS, input, {
        state: skewedBy('state', applications.state),
        kind: skewedBy('kind', applications.kind),
        programType: skewedBy('programType', applications.programType),
        created: applications.createdAt,
        agentId: applications.agentId,
        deleted: () => [],
      }),
      ...conditions,
    ],
    ...sortedBy(input, { createdAt: applications.createdAt }, applications.id),
  }
  const [page, ...counts] = await together([
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
    ...STATE_KEYS.map(state => counted(ctx, state)),
  ])
  const [draft = 0, pending = 0, approved = 0, rejected = 0] = counts
  return { ...page, counts: { draft, pending, approved, rejected }, shopsCapped }
}

async function counted(ctx: Ctx, state: Application['state']): Promise<number> {
  const where = and(eq(applications.state, state), LIVE, ownRows(ctx, applications.agentId))
  return Math.min(await countUpTo(ctx, applications, where), COUNT_CAP)
}
