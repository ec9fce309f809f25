// Erasing papers: by a person where nothing uses one, and by a job once nothing has needed one for long. The key goes with the commit
// (trigger), the bytes behind it; the row stays and says who erased it and why, which a certificate tells.
import { and, eq, inArray, sql } from 'drizzle-orm'
import type pg from 'pg'
import { agents } from '#features/office/agents/tables.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows, type Services, type Verb } from '#server/ctx.ts'
import { type MadePaper, servePdf } from '#server/documents/pdf.ts'
import { settingInSql } from '#server/office/settings.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found, refuse } from '#server/refuse.ts'
import { placesOf } from '#server/storage/file-bytes.ts'
import { actAsSystem, SYSTEM_ACTOR } from '#server/system.ts'
import { type documents as contract, documentDownloads } from './contract.ts'
import { DOCUMENT_FIELDS } from './fields.ts'
import {
  certificateNo,
  DOCUMENT_KINDS,
  DOCUMENT_REFUSALS,
  DOCUMENT_STEPS,
  type DocumentKind,
  KEPT_LONG_ENOUGH,
  LEFT_KEPT_DAYS,
  REPLACED_KEPT_DAYS,
  refuseErase,
  refuseEraseReason,
} from './rules.ts'
import { USED_BY } from './server-look.ts'
import { documents, documentUses } from './tables.ts'

type Erased = { id: number; fileId: string | null }
type By = { accountId: number | null; name: string; reason: string }

const subjectOf = (row: { shopName: string; merchantId: number; kind: DocumentKind }) =>
  `${row.shopName} (${row.merchantId}) ${DOCUMENT_KINDS[row.kind]}`

/** Of a locked paper that may be erased. What it says in clear goes, too. */
async function eraseRow(ctx: Ctx, { id, fileId }: Erased, { accountId, name, reason }: By): Promise<boolean> {
  const gone = await ctx.db
    .update(documents)
    .set({
      state: DOCUMENT_STEPS.erase.to,
      ...{ fileId: null, facts: null, numberMasked: '', keepUntil: null, erasedFileId: fileId },
      ...{ erasedAt: ctx.now.toISOString(), erasedBy: accountId, erasedByName: name, eraseReason: reason },
    })
    .where(
      and(
        eq(documents.id, id),
        inArray(documents.state, DOCUMENT_STEPS.erase.from),
        sql`not exists (select from ${documentUses} u where u.document_id = ${documents.id})`,
        ownRows(ctx, documents.agentId),
      ),
    )
    .returning({ id: documents.id })
  if (gone.length === 0) return false
  // The hourly job does it again, until they are gone.
  const { storage } = ctx.services
  if (fileId !== null)
    ctx.afterCommit(async () => {
      for (const place of placesOf(fileId)) await storage.delete(place)
    })
  return true
}

export const erase: Verb<typeof contract.erase> = async (ctx, { id, reason }) => {
  refuse(refuseEraseReason(reason), DOCUMENT_REFUSALS, { field: 'reason' })
  // What takes a paper into use holds its shop.
  const [of] = await ctx.db
    .select({ merchantId: documents.merchantId })
    .from(documents)
    .where(and(eq(documents.id, id), ownRows(ctx, documents.agentId)))
  const shop = await lockMerchant(ctx, found(of).merchantId)
  const [paper] = await ctx.db
    .select({
      ...{ id: documents.id, fileId: documents.fileId, kind: documents.kind, state: documents.state },
      ...{ agentId: documents.agentId, merchantId: documents.merchantId, usedBy: USED_BY.as('used_by') },
    })
    .from(documents)
    .where(and(eq(documents.id, id), ownRows(ctx, documents.agentId)))
  const row = found(paper)
  refuse(refuseErase(row), DOCUMENT_REFUSALS)
  const { accountId, name, key } = ctx.actor
  if (!(await eraseRow(ctx, row, { accountId, name: key?.name ?? name, reason })))
    throw new Error(`document ${id} changed under the lock of its shop`)
  ctx.about(row.agentId, row.merchantId)
  ctx.object('document', id)
  ctx.note(subjectOf({ ...row, shopName: shop.shopName }), [
    { name: DOCUMENT_FIELDS.state.label, before: DOCUMENT_FIELDS.state.words[row.state], after: '已销毁' },
    { name: DOCUMENT_FIELDS.eraseReason.label, before: null, after: reason },
  ])
  return { id }
}

/** Papers of one transaction of the job. */
const AT_ONCE = 50

/** Notes until when papers are kept that nothing needs any more, and takes it back of those that are needed again. */
export async function markNeedless(owner: Pick<pg.Pool, 'query'>, now: Date): Promise<void> {
  await owner.query(
    `update documents d set keep_until = null from merchants m
     where m.id = d.merchant_id and d.keep_until is not null and not (${NEEDLESS})`,
    [now],
  )
  await owner.query(
    `update documents d set keep_until = case d.state when 'replaced'
         then coalesce(d.replaced_at, $1::timestamptz) + make_interval(days => ${settingInSql(REPLACED_KEPT_DAYS)})
         else $1::timestamptz + make_interval(days => ${settingInSql(LEFT_KEPT_DAYS)}) end
     from merchants m where m.id = d.merchant_id and d.keep_until is null and (${NEEDLESS})`,
    [now],
  )
}

/** Erases what was kept long enough and is still not needed; answers how many. */
export async function erasePast(services: Services, now: Date): Promise<number> {
  let erased = 0
  for (;;) {
    const part = await actAsSystem(services, 'papers kept long enough', ctx => erasePart(ctx, now))
    erased += part.erased
    if (part.found < AT_ONCE || part.erased === 0) return erased
  }
}

/** Nothing uses it, and it was replaced, or its shop is gone: disabled, or its term is over. */
const NEEDLESS = `d.state <> 'erased' and not exists (select from document_uses u where u.document_id = d.id)
  and (d.state = 'replaced' or m.status = 'disabled' or m.expires_at < $1::timestamptz)`

async function erasePart(ctx: Ctx, now: Date): Promise<{ found: number; erased: number }> {
  // Its shop is locked as whoever takes a paper into use locks it; one that is busy comes with the next run.
  const { rows } = await ctx.client.query<{
    id: string
    file_id: string | null
    kind: DocumentKind
    state: keyof typeof DOCUMENT_FIELDS.state.words
    agent_id: string
    merchant_id: string
    shop_name: string
  }>(
    `select d.id, d.file_id, d.kind, d.state, d.agent_id, d.merchant_id, m.shop_name from documents d
     join merchants m on m.id = d.merchant_id
     where d.keep_until < $1 and (${NEEDLESS}) order by d.keep_until, d.id limit ${AT_ONCE}
     for update of d, m skip locked`,
    [now],
  )
  const papers = rows.map(row => ({
    id: Number(row.id),
    fileId: row.file_id,
    aboutAgentId: Number(row.agent_id),
    merchantId: Number(row.merchant_id),
    subject: subjectOf({ shopName: row.shop_name, merchantId: Number(row.merchant_id), kind: row.kind }),
    reason: row.state === 'replaced' ? KEPT_LONG_ENOUGH.replaced : KEPT_LONG_ENOUGH.left,
    before: DOCUMENT_FIELDS.state.words[row.state],
  }))
  const by = { accountId: null, name: SYSTEM_ACTOR.name }
  const erased: typeof papers = []
  // Asked once more under the locks: what was taken into use meanwhile stays.
  for (const paper of papers)
    if (await eraseRow(ctx, paper, { ...by, reason: paper.reason })) erased.push(paper)
  for (const { id, subject, reason, before, aboutAgentId, merchantId } of erased)
    await logOperation(ctx, {
      operation: '/documents erasePast',
      title: '自动销毁证件资料',
      subject,
      objects: [objectKey('document', id)],
      changes: [
        { name: DOCUMENT_FIELDS.state.label, before, after: '已销毁' },
        { name: DOCUMENT_FIELDS.eraseReason.label, before: null, after: reason },
      ],
      by: SYSTEM_ACTOR,
      ...{ aboutAgentId, merchantId },
    })
  return { found: papers.length, erased: erased.length }
}

/** Of a paper that is not erased there is none: NOT_FOUND. */
export const certificateDownload = servePdf(documentDownloads.certificate, async (ctx, { id }) => {
  const [paper] = await ctx.db
    .select({
      ...{ kind: documents.kind, sha256: documents.sha256, merchantId: documents.merchantId },
      ...{ createdAt: documents.createdAt, createdByName: documents.createdByName },
      ...{ erasedAt: documents.erasedAt, erasedByName: documents.erasedByName },
      ...{ eraseReason: documents.eraseReason, erasedFileId: documents.erasedFileId },
      ...{ agentId: documents.agentId, shopName: merchants.shopName, company: agents.companyName },
    })
    .from(documents)
    .innerJoin(merchants, eq(merchants.id, documents.merchantId))
    .innerJoin(agents, eq(agents.id, documents.agentId))
    .where(and(eq(documents.id, id), sql`${documents.state} = 'erased'`, ownRows(ctx, documents.agentId)))
  const row = found(paper)
  const { storage } = ctx.services
  return async (): Promise<MadePaper> => {
    const places = row.erasedFileId === null ? [] : placesOf(row.erasedFileId)
    const heads = await Promise.all(places.map(place => storage.head(place)))
    return {
      title: '证件资料销毁证明',
      facts: [
        ['证明编号', certificateNo(id)],
        ['商户', `${row.shopName}（${row.merchantId}）`],
        ['服务商', `${row.company}（${row.agentId}）`],
        ['资料类型', DOCUMENT_KINDS[row.kind]],
        ['资料编号', String(id)],
        ['上传', `${row.createdByName} ${formatInstant(row.createdAt)}`],
        ['销毁时间', formatInstant(row.erasedAt ?? '')],
        ['销毁人', row.erasedByName],
        ['销毁原因', row.eraseReason],
        ['图片摘要（SHA-256）', row.sha256],
        ['密钥', '已销毁，图片和证件内容无法再解密'],
        ['图片文件', heads.some(Boolean) ? '已加密且无法解密，正在清除' : '已清除'],
      ],
      tables: [],
      logged: {
        subject: subjectOf(row),
        objects: [objectKey('document', id)],
        aboutAgentId: row.agentId,
        merchantId: row.merchantId,
      },
    }
  }
})
