// A paper is read by a service: asked when no connection is held, once for each paper, and what it says is kept beside the paper. The
// data of the shop are left alone: whoever fills in the form takes what was read or does not.
import { and, eq, inArray } from 'drizzle-orm'
import type { DocumentKind } from '#features/care/documents/rules.ts'
import { maskNumber } from '#features/care/documents/rules.ts'
import { setExpiry } from '#features/care/documents/server-keep.ts'
import { openDocument, readFacts, sealFacts } from '#features/care/documents/server-look.ts'
import { documents } from '#features/care/documents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import {
  LONG_TERM,
  type Ocr,
  type OcrField,
  type OcrReading,
  OcrRefused,
  ProviderBusy,
  ProviderRefused,
  ProviderUnknown,
} from '#kit/ports/providers.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { settingOf } from '#server/office/settings.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { asPng } from '#server/pictures.ts'
import { found, Refusal, refuse } from '#server/refuse.ts'
import { makeCtx } from '#server/serve.ts'
import type { verification as contract } from './contract.ts'
import { VERIFICATION_FIELDS } from './fields.ts'
import {
  PAPERS,
  READ_PROBLEMS,
  READ_REFUSALS,
  READERS,
  READS_PER_PAPER,
  type ReadName,
  type ReadProblem,
  VERIFICATION_LIMITS,
} from './rules.ts'
import { type Reading, readingOf } from './server-rows.ts'
import { type KeptField, paperReadings } from './tables.ts'

/** What is read of a paper: the values of the form, and until when it holds. */
type ReadPaper = {
  fields: Partial<Record<ReadName, OcrField>>
  warnings: OcrReading<string>['warnings']
  problem: ReadProblem | null
  validTo: string | null
}

export const read: Verb<typeof contract.read> = async (ctx, { documentId }) => {
  const { ocr } = ctx.services.providers
  const { known, kind } = await inTurn(ctx, one => standing(one, documentId))
  if (known) return known
  if (!ocr) throw new Refusal('READER_NONE', READ_REFUSALS.READER_NONE)
  const { bytes } = await openDocument(ctx, documentId, 'verification')
  const paper = await ask(ctx, ocr, kind, await asPng(bytes))
  return inTurn(ctx, one => keep(one, documentId, ocr, paper))
}

/** What was read already, or which paper it is. */
async function standing(
  ctx: Ctx,
  documentId: number,
): Promise<{ known: Reading | null; kind: DocumentKind }> {
  const [paper] = await ctx.db
    .select({ kind: documents.kind })
    .from(documents)
    .where(and(eq(documents.id, documentId), ownRows(ctx, documents.agentId)))
  const { kind } = found(paper)
  refuse(Object.values<DocumentKind>(PAPERS).includes(kind) ? null : 'NOT_READABLE', READ_REFUSALS)
  const most = await settingOf(ctx, READS_PER_PAPER)
  const [kept] = await ctx.db
    .select()
    .from(paperReadings)
    .where(and(eq(paperReadings.documentId, documentId), ownRows(ctx, paperReadings.agentId)))
  if (!kept) return { known: null, kind }
  if (kept.problem !== null) {
    refuse(kept.tries < most ? null : 'READS_TOO_MANY', READ_REFUSALS)
    return { known: null, kind }
  }
  const facts = kept.fields.idNumber ? await readFacts(ctx, documentId, 'verification') : null
  return { known: readingOf(kept, most, facts?.readNumber ?? null), kind }
}

/** Never rejects for what a service says or does not: that is what was found out. */
async function ask(ctx: Ctx, ocr: Ocr, kind: DocumentKind, png: Buffer): Promise<ReadPaper> {
  try {
    if (kind === 'businessLicence') {
      const { fields, warnings } = await ocr.readLicence(png)
      const { number, name, legalPerson, validTo } = fields
      return {
        fields: present({ company: name, creditCode: number, legalPerson }),
        ...{ warnings, problem: null, validTo: validTo?.value ?? null },
      }
    }
    const { fields, warnings } = await ocr.readIdCard(png, kind === 'idCardFront' ? 'front' : 'back')
    const { name, idNumber, validTo } = fields
    return {
      fields: kind === 'idCardFront' ? present({ personInCharge: name, idNumber }) : {},
      ...{ warnings, problem: null, validTo: validTo?.value ?? null },
    }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    // What the vendor has to mend.
    if (problem === 'arrears' || problem === 'settings') ctx.services.onProblem(error)
    return { fields: {}, warnings: [], problem, validTo: null }
  }
}

function present(fields: Partial<Record<ReadName, OcrField | undefined>>): ReadPaper['fields'] {
  const known = Object.entries(fields).filter(([, field]) => field !== undefined && field.value.trim() !== '')
  return Object.fromEntries(known) as ReadPaper['fields']
}

/** What a reader's failure is called; null: it is another. */
export function problemOf(error: unknown): ReadProblem | null {
  if (error instanceof OcrRefused) return error.problem
  if (error instanceof ProviderBusy) return 'busy'
  if (error instanceof ProviderUnknown) return 'unknown'
  return error instanceof ProviderRefused ? 'settings' : null
}

/** By it the same number is known again without being read. */
export function digestOf(ctx: Pick<Ctx, 'services'>, documentId: number, idNumber: string): string {
  const { secrets } = ctx.services
  return secrets
    .digest(`id number of paper ${documentId} ${idNumber.trim().toUpperCase()}`)
    .toString('base64url')
}

async function keep(ctx: Ctx, documentId: number, ocr: Ocr, paper: ReadPaper): Promise<Reading> {
  const [row] = await ctx.db
    .select({
      agentId: documents.agentId,
      merchantId: documents.merchantId,
      expiresOn: documents.expiresOn,
      isLongTerm: documents.isLongTerm,
      state: documents.state,
      shopName: merchants.shopName,
    })
    .from(documents)
    .innerJoin(merchants, eq(merchants.id, documents.merchantId))
    .where(and(eq(documents.id, documentId), ownRows(ctx, documents.agentId)))
    .for('update', { of: documents })
  const { agentId, merchantId, shopName, ...standing } = found(row)
  const [before] = await ctx.db
    .select({ tries: paperReadings.tries })
    .from(paperReadings)
    .where(and(eq(paperReadings.documentId, documentId), ownRows(ctx, paperReadings.agentId)))
  const idNumber = paper.fields.idNumber?.value.slice(0, VERIFICATION_LIMITS.idNumber) ?? null
  const kept = {
    ...{ agentId, merchantId, reader: ocr.name, isWeak: ocr.isWeak, tries: (before?.tries ?? 0) + 1 },
    ...{ warnings: paper.warnings, problem: paper.problem, readAt: ctx.now.toISOString() },
    fields: keptFields(ctx, documentId, paper),
  }
  await ctx.db
    .insert(paperReadings)
    .values({ documentId, ...kept })
    .onConflictDoUpdate({ target: paperReadings.documentId, set: kept })
  if (idNumber !== null) await sealReadNumber(ctx, documentId, idNumber)
  const ends = endOf(paper.validTo)
  const setsEnd =
    ends !== null &&
    (standing.state === 'current' || standing.state === 'offered') &&
    standing.expiresOn === null &&
    !standing.isLongTerm
  if (setsEnd) await setExpiry(ctx, { id: documentId, ...ends })
  await logOperation(ctx, {
    operation: '/verification/readings read',
    title: '识别证件',
    subject: `${shopName} (${merchantId})`,
    objects: [objectKey('merchant', merchantId), objectKey('document', documentId)],
    ...{ by: ctx.actor, merchantId, aboutAgentId: agentId },
    changes: [
      { name: '识别服务', before: null, after: READERS[ocr.name] },
      {
        name: '识别结果',
        before: null,
        after:
          paper.problem === null
            ? Object.keys(paper.fields)
                .map(name => VERIFICATION_FIELDS[name as ReadName].label)
                .join('、') || '没有可填写的内容'
            : READ_PROBLEMS[paper.problem],
      },
    ],
  })
  const most = await settingOf(ctx, READS_PER_PAPER)
  return readingOf({ documentId, ...kept }, most, idNumber)
}

function keptFields(
  ctx: Ctx,
  documentId: number,
  { fields }: ReadPaper,
): Partial<Record<ReadName, KeptField>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { value, confidence }]): [string, KeptField] =>
      name === 'idNumber'
        ? [name, { digest: digestOf(ctx, documentId, value), confidence }]
        : [name, { value: value.slice(0, VERIFICATION_LIMITS[name as ReadName]), confidence }],
    ),
  )
}

/** Beside what was typed, which stays what people see of it. */
async function sealReadNumber(ctx: Ctx, documentId: number, readNumber: string): Promise<void> {
  const facts = (await readFacts(ctx, documentId, 'verification')) ?? {}
  const typed = facts.idNumber ?? ''
  await sealFacts(ctx, documentId, { ...facts, readNumber }, maskNumber(typed || readNumber))
}

function endOf(validTo: string | null): { expiresOn: string | null; isLongTerm: boolean } | null {
  if (validTo === null) return null
  return validTo === LONG_TERM
    ? { expiresOn: null, isLongTerm: true }
    : { expiresOn: validTo, isLongTerm: false }
}

/** What was read of these papers. */
export function readingsOf(ctx: Ctx, ids: readonly number[]) {
  return ctx.db
    .select()
    .from(paperReadings)
    .where(and(inArray(paperReadings.documentId, [...ids]), ownRows(ctx, paperReadings.agentId)))
}

/** A transaction in the name of whoever acts. */
export async function inTurn<T>(ctx: Ctx, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const { services, request, actor } = ctx
  return services.database.write(identityOf(actor, services.walls), lent =>
    work(makeCtx(lent, { services, request }, actor).ctx),
  )
}
