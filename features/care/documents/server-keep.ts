// Papers of shops as they are kept: each once, under the shop's lock, with who uses it.
import { and, eq, getTableColumns, inArray, notInArray, sql } from 'drizzle-orm'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { type Ctx, ownRows, type Verb } from '#server/ctx.ts'
import { PDF_TYPE } from '#server/files.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse, refuseCommon } from '#server/refuse.ts'
import { files } from '#server/tables.ts'
import type { documents as contract } from './contract.ts'
import { DOCUMENT_FIELDS } from './fields.ts'
import {
  DOCUMENT_FILE,
  DOCUMENT_KINDS,
  DOCUMENT_REFUSALS,
  DOCUMENT_STEPS,
  DOCUMENTS_PER_SHOP,
  type DocumentKind,
  type DocumentUser,
  isSingle,
  mayEnd,
} from './rules.ts'
import { documents, documentUses } from './tables.ts'

export type Document = typeof documents.$inferSelect

type Kept = {
  merchantId: number
  kind: DocumentKind
  fileId: string
  expiresOn?: string | null
  isLongTerm?: boolean
  replaces?: number | null
  /** By the shop's owner: nothing is replaced by it before it is adopted. */
  isOffered?: boolean
}

/**
 * Each in its place, since a licence is no bank card: NOT_FOUND where a paper that is named is another shop's, or of another kind than
 * its place is for.
 */
export async function refuseForeignDocuments<Name extends string>(
  ctx: Ctx,
  merchantId: number,
  kinds: Readonly<Record<Name, DocumentKind>>,
  given: Readonly<Record<NoInfer<Name>, number | null>>,
): Promise<void> {
  const wanted = (Object.keys(kinds) as Name[]).flatMap(name => {
    const id = given[name]
    return id === null ? [] : [{ id, kind: kinds[name] }]
  })
  if (wanted.length === 0) return
  const rows = await ctx.db
    .select({ id: documents.id, kind: documents.kind })
    .from(documents)
    .where(
      and(
        inArray(
          documents.id,
          wanted.map(({ id }) => id),
        ),
        eq(documents.merchantId, merchantId),
        ownRows(ctx, documents.agentId),
      ),
    )
  if (!wanted.every(({ id, kind }) => rows.some(row => row.id === id && row.kind === kind)))
    refuseCommon('NOT_FOUND')
}

/**
 * Keeps an upload of the purpose DOCUMENT_FILE as a paper of a shop, whose row it locks. The same picture of the same kind is the row
 * that stands already. Of a kind that a shop has once, and of the one that `replaces` names, the older becomes 已替换.
 * Refuses with KEEP_REFUSALS and REPLACE_REFUSALS; NOT_FOUND where the shop is another's.
 */
export async function keepDocument(ctx: Ctx, kept: Kept): Promise<Document> {
  const { merchantId, kind, fileId, replaces = null, isOffered = false } = kept
  const shop = await lockMerchant(ctx, merchantId)
  const subject = `${shop.shopName} (${merchantId})`
  const ends = mayEnd(kind) ? endOf(kept) : { expiresOn: null, isLongTerm: false }
  const [file] = await ctx.db
    .select({ mime: files.mime, sha256: files.sha256 })
    .from(files)
    .where(and(eq(files.id, fileId), eq(files.purpose, DOCUMENT_FILE), ownRows(ctx, files.agentId)))
  refuse(refuseFile(file), DOCUMENT_REFUSALS, { field: 'fileId' })
  const sha256 = file?.sha256 ?? ''
  const standing = await ctx.db
    .select()
    .from(documents)
    .where(and(eq(documents.merchantId, merchantId), sql`state <> 'erased'`, ownRows(ctx, documents.agentId)))
  const same = standing.find(row => row.kind === kind && row.sha256 === sha256)
  if (same) return keepAgain(ctx, { same, standing, ends, subject, isOffered })
  const [taken] = await ctx.db
    .select({ id: documents.id })
    .from(documents)
    .where(eq(documents.fileId, fileId))
  refuse(taken ? 'DOCUMENT_FILE_UNKNOWN' : null, DOCUMENT_REFUSALS, { field: 'fileId' })
  const most = await settingOf(ctx, DOCUMENTS_PER_SHOP)
  refuse(standing.length >= most ? 'DOCUMENTS_TOO_MANY' : null, DOCUMENT_REFUSALS)
  const older = standing.filter(
    row =>
      !isOffered && row.state === 'current' && (row.id === replaces || (isSingle(kind) && row.kind === kind)),
  )
  if (replaces !== null && !older.some(row => row.id === replaces))
    refuse('DOCUMENT_REPLACED', DOCUMENT_REFUSALS)
  await replaceAll(ctx, older)
  const [row] = await ctx.db
    .insert(documents)
    .values({
      agentId: shop.agentId,
      merchantId,
      kind,
      fileId,
      sha256,
      state: isOffered ? 'offered' : 'current',
      ...ends,
      createdBy: ctx.actor.accountId,
      createdByName: ctx.actor.key?.name ?? ctx.actor.name,
      createdAt: ctx.now.toISOString(),
    })
    .returning()
  const made = found(row)
  ctx.object('document', made.id)
  ctx.note(subject, [
    { name: DOCUMENT_FIELDS.kind.label, before: null, after: DOCUMENT_KINDS[kind] },
    ...older.map(({ id }) => ({ name: '被替换的资料', before: null, after: String(id) })),
    ...(ends.expiresOn
      ? [{ name: DOCUMENT_FIELDS.expiresOn.label, before: null, after: ends.expiresOn }]
      : []),
  ])
  return made
}

function refuseFile(file: { mime: string; sha256: string | null } | undefined) {
  if (!file?.sha256) return 'DOCUMENT_FILE_UNKNOWN'
  return file.mime === PDF_TYPE ? 'DOCUMENT_NO_PICTURE' : null
}

type End = { expiresOn: string | null; isLongTerm: boolean }

/** What ends on no day has none. */
function endOf({ expiresOn = null, isLongTerm = false }: Partial<End>): End {
  const isDay = expiresOn === null || /^(19|20|21)\d\d-/.test(expiresOn)
  refuse(isDay ? null : 'EXPIRY_WRONG', DOCUMENT_REFUSALS, { field: 'expiresOn' })
  return { expiresOn: isLongTerm ? null : expiresOn, isLongTerm }
}

/** Of another day people are told anew. */
function endSet({ expiresOn, isLongTerm }: End, before: End) {
  return { expiresOn, isLongTerm, ...(expiresOn === before.expiresOn ? {} : { warnedDays: null }) }
}

type Again = {
  same: Document
  standing: readonly Document[]
  ends: End
  subject: string
  isOffered: boolean
}

/** It may be an older one that comes back. */
async function keepAgain(ctx: Ctx, again: Again): Promise<Document> {
  const { same, standing, ends, subject, isOffered } = again
  const { id, kind, state, merchantId } = same
  const ended = ends.expiresOn === null && !ends.isLongTerm ? same : ends
  const isBack = state === 'replaced'
  const isAdopted = state === 'offered' && !isOffered
  ctx.object('document', id)
  if (!isBack && !isAdopted && ended.expiresOn === same.expiresOn && ended.isLongTerm === same.isLongTerm) {
    ctx.nothingChanged()
    return same
  }
  if (isAdopted) await adoptDocuments(ctx, merchantId, [id])
  if (isBack && !isOffered && isSingle(kind))
    await replaceAll(
      ctx,
      standing.filter(row => row.kind === kind && row.state === 'current'),
    )
  const own = and(eq(documents.id, id), ownRows(ctx, documents.agentId))
  if (isBack && isOffered)
    await ctx.db
      .update(documents)
      .set({ state: DOCUMENT_STEPS.offer.to, replacedAt: null, keepUntil: null })
      .where(and(own, inArray(documents.state, DOCUMENT_STEPS.offer.from)))
  if (isBack && !isOffered)
    await ctx.db
      .update(documents)
      .set({ state: DOCUMENT_STEPS.restore.to, replacedAt: null, keepUntil: null })
      .where(and(own, inArray(documents.state, DOCUMENT_STEPS.restore.from)))
  const [row] = await ctx.db.update(documents).set(endSet(ended, same)).where(own).returning()
  ctx.note(subject, [{ name: DOCUMENT_KINDS[kind], before: null, after: '再次使用' }])
  return found(row)
}

async function replaceAll(ctx: Ctx, older: readonly Document[]): Promise<void> {
  if (older.length === 0) return
  const ids = older.map(({ id }) => id)
  await ctx.db
    .update(documents)
    .set({ state: DOCUMENT_STEPS.replace.to, replacedAt: ctx.now.toISOString(), keepUntil: null })
    .where(
      and(
        inArray(documents.id, ids),
        inArray(documents.state, DOCUMENT_STEPS.replace.from),
        ownRows(ctx, documents.agentId),
      ),
    )
}

/** What the owner offered becomes the shop's; of a kind that it has once, the older one is replaced. Under the shop's lock. */
export async function adoptDocuments(ctx: Ctx, merchantId: number, ids: readonly number[]): Promise<void> {
  const own = and(eq(documents.merchantId, merchantId), ownRows(ctx, documents.agentId))
  const standing = await ctx.db
    .select()
    .from(documents)
    .where(and(own, inArray(documents.state, ['current', 'offered'])))
  const offered = standing.filter(({ id, state }) => state === 'offered' && ids.includes(id))
  const older = standing.filter(
    row => row.state === 'current' && isSingle(row.kind) && offered.some(({ kind }) => kind === row.kind),
  )
  await replaceAll(ctx, older)
  for (const { id } of offered) {
    await ctx.db
      .update(documents)
      .set({ state: DOCUMENT_STEPS.adopt.to })
      .where(and(own, eq(documents.id, id), inArray(documents.state, DOCUMENT_STEPS.adopt.from)))
    ctx.object('document', id)
  }
}

/** What the owner offered and took anew is kept no longer than what was replaced. Under the shop's lock. */
export async function dropDocuments(ctx: Ctx, merchantId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db
    .update(documents)
    .set({ state: DOCUMENT_STEPS.drop.to, replacedAt: ctx.now.toISOString(), keepUntil: null })
    .where(
      and(
        inArray(documents.id, [...ids]),
        eq(documents.merchantId, merchantId),
        inArray(documents.state, DOCUMENT_STEPS.drop.from),
        ownRows(ctx, documents.agentId),
      ),
    )
}

/**
 * From now on this object of a feature uses these papers of the shop and no others. NOT_FOUND where one is not the shop's, or is
 * erased. To be called under the shop's lock.
 */
export async function useDocuments(
  ctx: Ctx,
  merchantId: number,
  by: { feature: DocumentUser; objectId: string | number },
  ids: readonly number[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  const rows = await ctx.db
    .select({ id: documents.id, agentId: documents.agentId })
    .from(documents)
    .where(
      and(
        inArray(documents.id, wanted),
        eq(documents.merchantId, merchantId),
        sql`state <> 'erased'`,
        ownRows(ctx, documents.agentId),
      ),
    )
  if (rows.length < wanted.length) found(undefined)
  const object = String(by.objectId)
  await ctx.db
    .delete(documentUses)
    .where(
      and(
        eq(documentUses.merchantId, merchantId),
        eq(documentUses.feature, by.feature),
        eq(documentUses.objectId, object),
        wanted.length > 0 ? notInArray(documentUses.documentId, wanted) : undefined,
        ownRows(ctx, documentUses.agentId),
      ),
    )
  if (rows.length === 0) return
  await ctx.db
    .insert(documentUses)
    .values(
      rows.map(({ id, agentId }) => ({
        documentId: id,
        feature: by.feature,
        objectId: object,
        agentId,
        merchantId,
        createdAt: ctx.now.toISOString(),
      })),
    )
    .onConflictDoNothing()
}

export const keep: Verb<typeof contract.keep> = async (ctx, input) => {
  const { id } = await keepDocument(ctx, input)
  return { id }
}

export const setExpiry: Verb<typeof contract.setExpiry> = async (ctx, { id, ...input }) => {
  const own = and(eq(documents.id, id), ownRows(ctx, documents.agentId))
  const [row] = await ctx.db
    .select({ ...getTableColumns(documents), shopName: merchants.shopName })
    .from(documents)
    .innerJoin(merchants, eq(merchants.id, documents.merchantId))
    .where(own)
    .for('update', { of: documents })
  const { agentId, merchantId, shopName, kind, state, expiresOn, isLongTerm } = found(row)
  refuse(state === 'current' || state === 'offered' ? null : 'DOCUMENT_REPLACED', DOCUMENT_REFUSALS)
  const ends = endOf(input)
  ctx.about(agentId, merchantId)
  ctx.object('document', id)
  if (ends.expiresOn === expiresOn && ends.isLongTerm === isLongTerm) {
    ctx.nothingChanged()
    return { id }
  }
  await ctx.db.update(documents).set(endSet(ends, { expiresOn, isLongTerm })).where(own)
  ctx.note(`${shopName} (${merchantId}) ${DOCUMENT_KINDS[kind]}`, [
    {
      name: DOCUMENT_FIELDS.expiresOn.label,
      before: endText({ expiresOn, isLongTerm }),
      after: endText(ends),
    },
  ])
  return { id }
}

const endText = ({ expiresOn, isLongTerm }: End) => (isLongTerm ? '长期有效' : (expiresOn ?? '未填写'))
