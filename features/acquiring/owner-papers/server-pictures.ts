// Pictures of the owner: sent in parts, so that one goes on where it was interrupted, put together, kept as the shop's papers, and read.
import { and, asc, eq } from 'drizzle-orm'
import { DOCUMENT_FILE } from '#features/care/documents/rules.ts'
import {
  dropDocuments,
  keepDocument,
  useDocuments as takeInUse,
} from '#features/care/documents/server-keep.ts'
import { openDocument } from '#features/care/documents/server-look.ts'
import { PAPERS as READ_PAPERS, type ReadProblem } from '#features/care/verification/rules.ts'
import { problemOf, read as readPaper } from '#features/care/verification/server-read.ts'
import { triesOf } from '#features/office/captcha/server-tries.ts'
import type { Ocr } from '#kit/ports/providers.ts'
import type { Ctx, Verb } from '#server/ctx.ts'
import { keepWritten, type WrittenPicture, writePicture } from '#server/files.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { asPng } from '#server/pictures.ts'
import { refuse, refuseCommon } from '#server/refuse.ts'
import { actForNobody } from '#server/system.ts'
import type { ownerPapers as contract } from './contract.ts'
import {
  GUEST_REFUSALS,
  LIMITS,
  NETWORK_LIMITS,
  OWNER_PAPER_NAMES,
  OWNER_PAPERS,
  type OwnerNumber,
  type OwnerPaperName,
  type OwnerText,
  REASON_FIELDS,
} from './rules.ts'
import {
  asOwner,
  inside,
  insideLocked,
  type Opened,
  type OwnerPapers,
  ownerOf,
  refuseHandedIn,
  subjectOf,
} from './server-door.ts'
import { sealedNumber } from './server-guests.ts'
import { ownerPaperParts as parts, ownerPapers as table } from './tables.ts'

/** Of another picture for the same paper nothing is left: the phone sends one at a time. */
export const sendPart: Verb<typeof contract.sendPart> = async (ctx, { code, paper, upload, part, body }) => {
  const opened = await inside(ctx, code)
  refuseHandedIn(opened)
  const sent = triesOf(ctx, 'owner picture parts', NETWORK_LIMITS.minutes)
  if (sent.count >= NETWORK_LIMITS.parts) refuseCommon('THROTTLED')
  sent.count += 1
  refuseMany(opened.row)
  refuse(part >= LIMITS.parts ? 'PART_WRONG' : null, GUEST_REFUSALS)
  const { id, agentId, merchantId } = opened.row
  // The shop's row is not waited for: parts change nothing that anybody reads.
  const kept = {
    ...{ upload, body: ctx.services.secrets.encrypt(body), createdAt: ctx.now.toISOString() },
  }
  await ctx.db
    .insert(parts)
    .values({ ownerPapersId: id, agentId, merchantId, paper, part, ...kept })
    .onConflictDoUpdate({ target: [parts.ownerPapersId, parts.paper, parts.part], set: kept })
  return { part }
}

function refuseMany({ pictures, byteSum }: OwnerPapers): void {
  refuse(pictures >= LIMITS.pictures || byteSum >= LIMITS.bytes ? 'PICTURES_TOO_MANY' : null, GUEST_REFUSALS)
}

type Whole = { paper: OwnerPaperName; upload: string; parts: number }

export const keepPicture: Verb<typeof contract.keepPicture> = async (ctx, { code, ...whole }) => {
  const bytes = await actForNobody(ctx, async one => {
    const opened = await inside(one, code)
    refuseHandedIn(opened)
    return isKept(opened.row, whole) ? null : together(one, opened, whole)
  })
  // Its answer was lost on the way.
  if (bytes === null) return { paper: whole.paper }
  const written = await writePicture(ctx.services, {
    ...{ bytes, limits: { maxBytes: LIMITS.pictureBytes }, sealed: true },
  })
  try {
    const isNew = await actForNobody(ctx, one =>
      keep(one, code, { ...whole, byteSize: bytes.length }, written),
    )
    if (!isNew) await written.forget()
    return { paper: whole.paper }
  } catch (error) {
    await written.forget()
    throw error
  }
}

const isKept = (row: OwnerPapers, { paper, upload }: Whole) =>
  row[paper] !== null && row.sent[paper] === upload

async function together(ctx: Ctx, { row }: Opened, whole: Whole): Promise<Buffer> {
  refuseMany(row)
  const rows = await ctx.db
    .select({ part: parts.part, body: parts.body })
    .from(parts)
    .where(and(eq(parts.ownerPapersId, row.id), eq(parts.paper, whole.paper), eq(parts.upload, whole.upload)))
    .orderBy(asc(parts.part))
  const isWhole = rows.length === whole.parts && rows.every(({ part }, at) => part === at)
  const bytes = Buffer.concat(
    rows.map(({ body }) => Buffer.from(ctx.services.secrets.decrypt(body), 'base64')),
  )
  refuse(isWhole ? null : 'PART_WRONG', GUEST_REFUSALS)
  return bytes
}

async function keep(
  ctx: Ctx,
  code: string,
  whole: Whole & { byteSize: number },
  written: WrittenPicture,
): Promise<boolean> {
  const opened = await insideLocked(ctx, code)
  refuseHandedIn(opened)
  const { row } = opened
  const { paper, upload } = whole
  if (isKept(row, whole)) return false
  refuseMany(row)
  const named = asOwner(ctx, opened)
  const { id, agentId, merchantId } = row
  const fileId = await keepWritten(ctx, written, { purpose: DOCUMENT_FILE, agentId, createdBy: 0 })
  const kept = await keepDocument(named, { merchantId, kind: OWNER_PAPERS[paper], fileId, isOffered: true })
  const before = row[paper]
  await ctx.db
    .update(table)
    .set({
      [paper]: kept.id,
      ...{ sent: { ...row.sent, [paper]: upload }, pictures: row.pictures + 1 },
      byteSum: row.byteSum + whole.byteSize,
    })
    .where(eq(table.id, id))
  await takeInUse(
    named,
    merchantId,
    { feature: 'ownerPapers', objectId: id },
    OWNER_PAPER_NAMES.flatMap(name => (name === paper ? kept.id : (row[name] ?? []))),
  )
  if (before !== null && before !== kept.id) await dropDocuments(named, merchantId, [before])
  await ctx.db.delete(parts).where(and(eq(parts.ownerPapersId, id), eq(parts.paper, paper)))
  await logOperation(ctx, {
    operation: '/owner-papers/{code}/pictures keepPicture',
    title: '店主上传资料图片',
    subject: subjectOf(opened),
    objects: [objectKey('document', kept.id), objectKey('merchant', merchantId)],
    changes: [{ name: '资料类型', before: null, after: REASON_FIELDS[paper] }],
    ...{ by: ownerOf(opened), merchantId, aboutAgentId: agentId },
  })
  return true
}

const READABLE: readonly string[] = Object.keys(READ_PAPERS)
type Read = { fields: readonly ReadField[]; problem: ReadProblem | null }

export const read: Verb<typeof contract.read> = async (ctx, { code, paper }) => {
  const opened = await actForNobody(ctx, one => inside(one, code))
  refuseHandedIn(opened)
  const documentId = opened.row[paper]
  if (documentId === null) refuseCommon('NOT_FOUND')
  const { ocr } = ctx.services.providers
  if (ocr === null) return { filled: [], problem: null }
  const named = asOwner(ctx, opened)
  const { fields, problem }: Read =
    paper === 'bankCardId'
      ? await readCard(ctx, ocr, opened, documentId)
      : READABLE.includes(paper)
        ? readOf(await readPaper(named, { documentId }))
        : { fields: [], problem: null }
  const filled = await actForNobody(ctx, one => fill(one, code, fields))
  return { filled, problem }
}

const readOf = ({ fields, problem, warnings }: Awaited<ReturnType<typeof readPaper>>): Read => ({
  fields,
  problem: problem ?? warnings[0] ?? null,
})

/** What is on a card is kept nowhere but in the owner's fields; each picture of one is read once. */
async function readCard(ctx: Ctx, ocr: Ocr, opened: Opened, documentId: number): Promise<Read> {
  const { id, sent, cardRead } = opened.row
  const upload = sent.bankCardId ?? ''
  if (cardRead === upload) return { fields: [], problem: null }
  await actForNobody(ctx, one => one.db.update(table).set({ cardRead: upload }).where(eq(table.id, id)))
  const { bytes } = await openDocument(asOwner(ctx, opened), documentId, 'paymentApplication')
  try {
    const { fields, warnings } = await ocr.readBankCard(await asPng(bytes))
    const { number, bankName } = fields
    return {
      fields: [
        ...(number ? [{ name: 'accountNumber' as const, value: number.value }] : []),
        ...(bankName ? [{ name: 'bankName' as const, value: bankName.value }] : []),
      ],
      problem: warnings[0] ?? null,
    }
  } catch (error) {
    const problem = problemOf(error)
    if (problem === null) throw error
    if (problem === 'arrears' || problem === 'settings') ctx.services.onProblem(error)
    return { fields: [], problem }
  }
}

type ReadField = {
  name: Exclude<OwnerText, 'email' | 'branchName'> | OwnerNumber
  value: string
}
const isNumber = (name: ReadField['name']): name is OwnerNumber =>
  name === 'idNumber' || name === 'accountNumber'

/** What the owner has typed stays. */
async function fill(ctx: Ctx, code: string, fields: readonly ReadField[]): Promise<string[]> {
  const opened = await insideLocked(ctx, code)
  refuseHandedIn(opened)
  const { row } = opened
  const empty = fields.filter(({ name }) => row[name] === null || row[name] === '')
  if (empty.length === 0) return []
  const set = Object.assign(
    {},
    ...empty.map(({ name, value }) => (isNumber(name) ? sealedNumber(ctx, name, value) : { [name]: value })),
  )
  await ctx.db
    .update(table)
    .set({ ...set })
    .where(eq(table.id, row.id))
  return empty.map(({ name }) => name)
}
