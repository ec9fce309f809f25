// Verification data as people see them: those of one shop with their papers and what was read of these, and the list of the reviewers.
import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm'
import { PAPER_SHOWN, readFacts } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { refuseSignature } from '#features/shops/merchants/rules.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import type { Out } from '#kit/declare/op.ts'
import { formatDay } from '#kit/time.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import {
  containingConditions,
  filtered,
  type ListSource,
  ownColumns,
  ownCondition,
  rowsAndTotal,
  skewedBy,
  sortedBy,
} from '#server/list.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import { files } from '#server/tables.ts'
import type { verification as contract } from './contract.ts'
import { VERIFICATION_FIELDS, VERIFICATIONS } from './fields.ts'
import {
  PAPER_NAMES,
  type PaperName,
  READS_PER_PAPER,
  type ReadName,
  refuseEdit,
  STEP_REFUSALS,
  standingState,
  VERIFICATION_HOURS,
  warningsOf,
} from './rules.ts'
import { paperReadings, verificationReasons as reasons, verifications } from './tables.ts'

type Shown = Out<typeof contract.ofShop>
export type Reading = Out<typeof contract.read>
export type VerificationData = typeof verifications.$inferSelect

/** What is kept of the shop, or undefined where nothing is. The shop's lock guards it. */
export async function findData(ctx: Ctx, merchantId: number): Promise<VerificationData | undefined> {
  const [row] = await ctx.db
    .select()
    .from(verifications)
    .where(and(eq(verifications.merchantId, merchantId), ownRows(ctx, verifications.agentId)))
  return row
}

const NOTHING = {
  ...{ revision: 0, reason: '', advice: '', company: '', creditCode: '', legalPerson: '' },
  ...{
    personInCharge: '',
    idNumberMasked: '',
    phone: '',
    phoneVerifiedAt: null,
    origins: {},
    savedByName: '',
    savedAt: null,
  },
  ...{ explanations: {}, answers: {} },
  ...{ submittedByName: '', submittedAt: null, handledByName: '', handledAt: null },
  ...{ licenceId: null, idFrontId: null, idBackId: null },
}

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({
      shopName: merchants.shopName,
      status: merchants.verificationStatus,
      refusal: merchants.verificationRefusal,
      signature: merchants.signature,
    })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  const { shopName, status, refusal, signature } = found(shop)
  const row = await findData(ctx, merchantId)
  const data = row ?? {
    ...NOTHING,
    reason: refusal,
    signature: refuseSignature(signature) === null ? signature : '',
  }
  const papers = await papersOf(ctx, data)
  const state = row?.state ?? status
  const code = refuseEdit(standingState(row?.state ?? null, status))
  const { ocr } = ctx.services.providers
  const { licenceId: _l, idFrontId: _f, idBackId: _b, explanations: _e, answers: _a, ...rest } = data
  return {
    ...rest,
    ...{ merchantId, shopName, state, papers, standingSignature: signature },
    warnings: row ? warned(row, papers, ctx) : [],
    editRefusal: code && STEP_REFUSALS[code],
    reader: ocr && { name: ocr.name, isWeak: ocr.isWeak },
    hours: await settingOf(ctx, VERIFICATION_HOURS),
  }
}

/** What speaks against the data now, each with what was said of it. */
export async function warnedOf(ctx: Ctx, data: VerificationData): Promise<Shown['warnings']> {
  return warned(data, await papersOf(ctx, data), ctx)
}

function warned(data: VerificationData, papers: Shown['papers'], { now }: Ctx): Shown['warnings'] {
  return warningsOf({ ...data, papers }, formatDay(now)).map(one => ({
    ...one,
    explanation: data.explanations[one.key] ?? '',
    answer: data.answers[one.key] ?? '',
  }))
}

async function papersOf(
  ctx: Ctx,
  data: Readonly<Record<PaperName, number | null>>,
): Promise<Shown['papers']> {
  const ids = PAPER_NAMES.flatMap(name => data[name] ?? [])
  if (ids.length === 0) return []
  const rows = await ctx.db
    .select({
      ...PAPER_SHOWN,
      reading: paperReadings,
    })
    .from(documents)
    .leftJoin(files, eq(files.id, documents.fileId))
    .leftJoin(paperReadings, eq(paperReadings.documentId, documents.id))
    .where(and(inArray(documents.id, ids), ownRows(ctx, documents.agentId)))
  const most = await settingOf(ctx, READS_PER_PAPER)
  return PAPER_NAMES.flatMap(name =>
    rows
      .filter(({ id }) => id === data[name])
      .map(({ reading, ...row }) => ({ name, ...row, reading: reading && readingOf(reading, most) })),
  )
}

/** As it is told; an ID number only where it is handed in beside. */
export function readingOf(
  row: typeof paperReadings.$inferSelect,
  most: number,
  idNumber: string | null = null,
): Reading {
  const { reader, isWeak, fields, warnings, problem, tries } = row
  return {
    ...{ reader, isWeak, warnings, problem, mayAsk: problem !== null && tries < most },
    fields: Object.entries(fields).flatMap(([name, { value = '', confidence }]) => {
      const told = name === 'idNumber' ? (idNumber ?? '') : value
      return told === '' ? [] : [{ name: name as ReadName, value: told, sure: Math.round(confidence * 100) }]
    }),
  }
}

export const reveal: Verb<typeof contract.reveal> = async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  found(shop)
  const data = await findData(ctx, merchantId)
  const facts = data?.idFrontId ? await readFacts(ctx, data.idFrontId, 'verification') : null
  refuse(facts?.idNumber ? null : 'NO_DATA', STEP_REFUSALS)
  return { idNumber: facts?.idNumber ?? '' }
}

const ROW = {
  ...ownColumns(verifications, keysIn(VERIFICATION_FIELDS, 'row')),
  revision: verifications.revision,
  shopName: merchants.shopName,
  account: merchants.account,
  agentName: agents.companyName,
}

export const reviews: Verb<typeof contract.reviews> = (ctx, input) => {
  const sorted = sortedBy(input, { submittedAt: verifications.submittedAt }, verifications.id)
  const list: ListSource = {
    name: 'verifications',
    table: verifications,
    conditions: [
      ...ownCondition(ctx, verifications.agentId),
      { key: 'begun', sql: ne(verifications.state, 'unverified'), values: {} },
      { key: 'submitted', sql: isNotNull(verifications.submittedAt), values: {} },
      ...filtered(VERIFICATIONS, input, {
        state: skewedBy('state', verifications.state),
        submitted: verifications.submittedAt,
        agentId: verifications.agentId,
      }),
      ...(input.search ? containingConditions(verifications.searchText, input.search) : []),
    ],
    ...sorted,
  }
  return rowsAndTotal(ctx, list, input, page =>
    ctx.db
      .with(page)
      .select(ROW)
      .from(verifications)
      .innerJoin(merchants, eq(merchants.id, verifications.merchantId))
      .innerJoin(agents, eq(agents.id, verifications.agentId))
      .innerJoin(page, eq(page.id, verifications.id))
      .orderBy(...sorted.order)
      .$dynamic(),
  )
}

export const listReasons: Verb<typeof contract.reasons> = async ctx => {
  const rows = await ctx.db
    .select({ name: reasons.name, advice: reasons.advice })
    .from(reasons)
    .where(or(isNull(reasons.retiredAt), gt(reasons.retiredAt, sql`now()`)))
    .orderBy(asc(reasons.position), asc(reasons.id))
  return { reasons: rows }
}
