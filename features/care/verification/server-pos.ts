// Verification data at the door for point-of-sale software: papers come as base64, the rest by the verbs of the office's own page.
import { and, eq } from 'drizzle-orm'
import { DOCUMENT_FILE, DOCUMENT_KB, DOCUMENT_KINDS } from '#features/care/documents/rules.ts'
import { keepDocument } from '#features/care/documents/server-keep.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { bytesOf } from '#kit/picture.ts'
import { ownRows, type Verb } from '#server/ctx.ts'
import { keepWritten, writePicture } from '#server/files.ts'
import { settingOf } from '#server/office/settings.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { found } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { verificationAtPos as contract } from './contract-pos.ts'
import { inTurn } from './server-read.ts'
import { findData, ofShop } from './server-rows.ts'
import { submit } from './server-save.ts'

/** The picture goes to the storage while no connection is held. */
const keepPaper: Verb<typeof contract.keepPaper> = async (ctx, { id: merchantId, kind, picture }) => {
  const { shop, most } = await inTurn(ctx, async one => {
    const [row] = await one.db
      .select({ agentId: merchants.agentId, shopName: merchants.shopName })
      .from(merchants)
      .where(and(eq(merchants.id, merchantId), ownRows(one, merchants.agentId)))
    return { shop: found(row), most: await settingOf(one, DOCUMENT_KB) }
  })
  const bytes = Buffer.from(picture, 'base64')
  const written = await writePicture(ctx.services, {
    ...{ bytes, limits: { maxBytes: bytesOf(most) }, sealed: true },
  })
  try {
    return await inTurn(ctx, async one => {
      const of = { purpose: DOCUMENT_FILE, agentId: shop.agentId, createdBy: ctx.actor.accountId }
      const fileId = await keepWritten(one, written, of)
      const paper = await keepDocument(one, { merchantId, kind, fileId })
      await logOperation(one, {
        operation: '/v1/shops/{id}/papers keepPaper',
        title: '上传证件资料',
        subject: `${shop.shopName} (${merchantId})`,
        objects: [objectKey('document', paper.id), objectKey('merchant', merchantId)],
        changes: [{ name: '资料类型', before: null, after: DOCUMENT_KINDS[kind] }],
        ...{ by: ctx.actor, merchantId, aboutAgentId: shop.agentId },
      })
      return { id: paper.id }
    })
  } catch (error) {
    await written.forget()
    throw error
  }
}

export const verificationPosRouter = serve(contract, {
  verification: async (ctx, { id }) => ofShop(ctx, { merchantId: id }),
  keepPaper,
  async submitVerification(ctx, { id, ...form }) {
    // A POS hands in all of it: what was drafted by somebody else in between is what it replaces.
    await lockMerchant(ctx, id)
    const revision = (await findData(ctx, id))?.revision ?? 0
    const { state } = await submit(ctx, { merchantId: id, revision, ...form, code: '', requestId: null })
    return { state }
  },
})
