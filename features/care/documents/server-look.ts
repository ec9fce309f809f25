// Looking at papers: each look and each file is logged with what it is for. The bytes are read when no connection is held.
import { Readable } from 'node:stream'
import { and, desc, eq, sql } from 'drizzle-orm'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keysIn } from '#kit/declare/fields.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { ownColumns } from '#server/list.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { asPng } from '#server/pictures.ts'
import { type ReadyFile, serveReadyFile } from '#server/ready-file.ts'
import { found } from '#server/refuse.ts'
import type { Secrets } from '#server/secrets.ts'
import { makeCtx } from '#server/serve.ts'
import { FILE_ROW, readBytes } from '#server/storage/file-bytes.ts'
import { seal, unseal } from '#server/storage/sealing.ts'
import { files } from '#server/tables.ts'
import { type documents as contract, documentDownloads } from './contract.ts'
import { DOCUMENT_FIELDS } from './fields.ts'
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type DocumentUser,
  LOOK_PURPOSES,
  type LookPurpose,
} from './rules.ts'
import { marked } from './server-watermark.ts'
import { documents, documentUses } from './tables.ts'

export const USED_BY = sql<
  DocumentUser[]
>`array(select distinct u.feature from ${documentUses} u where u.document_id = ${documents.id} order by 1)`
/** What is told of a paper where a form or a reviewer sees it; read with its file. */
export const PAPER_SHOWN = {
  id: documents.id,
  state: documents.state,
  expiresOn: documents.expiresOn,
  isLongTerm: documents.isLongTerm,
  width: sql<number>`coalesce(${files.width}, 0)`,
  height: sql<number>`coalesce(${files.height}, 0)`,
}
/** What is told of a paper wherever it is told. */
export const DOCUMENT_ROW = {
  ...ownColumns(documents, keysIn(DOCUMENT_FIELDS, 'row')),
  width: sql<number>`coalesce(${files.width}, 0)`.as('width'),
  height: sql<number>`coalesce(${files.height}, 0)`.as('height'),
  byteSize: sql<number>`coalesce(${files.byteSize}, 0)`.mapWith(Number).as('byte_size'),
  usedBy: USED_BY.as('used_by'),
}

export const ofShop: Verb<typeof contract.ofShop> = async (ctx, { merchantId }) => {
  const [shop] = await ctx.db
    .select({ id: merchants.id })
    .from(merchants)
    .where(and(eq(merchants.id, merchantId), ownRows(ctx, merchants.agentId)))
  found(shop)
  const rows = await ctx.db
    .select(DOCUMENT_ROW)
    .from(documents)
    .leftJoin(files, eq(files.id, documents.fileId))
    .where(and(eq(documents.merchantId, merchantId), ownRows(ctx, documents.agentId)))
    .orderBy(desc(documents.id))
  return { rows }
}

async function findDocument(ctx: Ctx, id: number) {
  const [row] = await ctx.db
    .select({
      id: documents.id,
      agentId: documents.agentId,
      merchantId: documents.merchantId,
      kind: documents.kind,
      facts: documents.facts,
      shopName: merchants.shopName,
      mime: files.mime,
      file: FILE_ROW,
    })
    .from(documents)
    .innerJoin(files, eq(files.id, documents.fileId))
    .innerJoin(merchants, eq(merchants.id, documents.merchantId))
    .where(and(eq(documents.id, id), ownRows(ctx, documents.agentId)))
  return found(row)
}

type Found = Awaited<ReturnType<typeof findDocument>>

function loggedOf({ id, agentId, merchantId, kind, shopName }: Found) {
  return {
    subject: `${shopName} (${merchantId}) ${DOCUMENT_KINDS[kind]}`,
    objects: [objectKey('document', id)],
    merchantId,
    aboutAgentId: agentId,
  }
}

function readyFile(row: Found, ctx: Ctx, drawn: (bytes: Buffer) => Promise<Buffer>): ReadyFile {
  return {
    name: `${row.shopName}-${DOCUMENT_KINDS[row.kind]}-${row.id}.png`,
    type: 'image/png',
    rows: 0,
    logged: loggedOf(row),
    async open() {
      const bytes = await drawn(found((await readBytes(ctx.services, row.file)) ?? undefined))
      return { byteSize: bytes.length, bytes: Readable.from([bytes]) }
    },
  }
}

export const lookDownload = serveReadyFile(documentDownloads.look, async (ctx, { id, purpose }) => {
  const row = await findDocument(ctx, id)
  const { name, loginName } = ctx.actor
  const mark = `${name} ${loginName} ${formatInstant(ctx.now)} ${LOOK_PURPOSES[purpose]}`
  return readyFile(row, ctx, bytes => marked(bytes, mark))
})

export const takeDownload = serveReadyFile(documentDownloads.take, async (ctx, { id }) =>
  readyFile(await findDocument(ctx, id), ctx, asPng),
)

export type OpenedDocument = { id: number; kind: DocumentKind; mime: string; bytes: Buffer }

/**
 * The bytes of a paper for the program itself: to have it read, to hand it in at a service. Logged with the purpose in a transaction of
 * its own; to be called by what holds no connection (a detached verb, a loop). NOT_FOUND where it is another's or erased.
 */
export async function openDocument(
  { services, request, actor }: Pick<Ctx, 'services' | 'request' | 'actor'>,
  id: number,
  purpose: LookPurpose,
): Promise<OpenedDocument> {
  const row = await services.database.write(identityOf(actor, services.walls), async lent => {
    const { ctx } = makeCtx(lent, { services, request }, actor)
    const document = await findDocument(ctx, id)
    await logRead(ctx, document, purpose, '/documents/open', '读取证件图片')
    return document
  })
  const bytes = found((await readBytes(services, row.file)) ?? undefined)
  return { id, kind: row.kind, mime: row.mime, bytes }
}

function logRead(ctx: Ctx, row: Found, purpose: LookPurpose, operation: string, title: string) {
  const changes = [{ name: '目的', before: null, after: LOOK_PURPOSES[purpose] }]
  return logOperation(ctx, { ...loggedOf(row), operation, title, changes, by: ctx.actor })
}

export type Facts = Readonly<Record<string, string>>

const factsName = (id: number) => `facts of document ${id}`

/** As they lie in the row of the paper. */
export function sealedFacts(secrets: Secrets, fileKey: Buffer, id: number, facts: Facts): Buffer {
  return seal(secrets, fileKey, factsName(id), Buffer.from(JSON.stringify(facts)))
}

/**
 * Keeps what a paper says (a name, an ID number), encrypted with the key of its file, in place of what was kept before.
 * `numberMasked` (`maskNumber`) is what people see of its number.
 */
export async function sealFacts(ctx: Ctx, id: number, facts: Facts, numberMasked: string): Promise<void> {
  const { file } = await findDocument(ctx, id)
  if (file.sealedKey === null) throw new Error(`document ${id} is not sealed`)
  const sealed = sealedFacts(ctx.services.secrets, file.sealedKey, id, facts)
  await ctx.db
    .update(documents)
    .set({ facts: sealed, numberMasked })
    .where(and(eq(documents.id, id), ownRows(ctx, documents.agentId)))
}

/** What was sealed, or null where nothing was. Each reading leaves a row in the log, with its purpose. */
export async function readFacts(ctx: Ctx, id: number, purpose: LookPurpose): Promise<Facts | null> {
  const row = await findDocument(ctx, id)
  if (row.facts === null || row.file.sealedKey === null) return null
  await logRead(ctx, row, purpose, '/documents/facts', '读取证件号码')
  const plain = unseal(ctx.services.secrets, row.file.sealedKey, factsName(id), row.facts)
  return JSON.parse(plain.toString('utf8')) as Facts
}
