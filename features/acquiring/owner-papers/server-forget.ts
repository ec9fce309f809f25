// What owners began and nobody took over is not kept for ever: long after its link has ended its numbers go, and its papers are let go.
import { and, eq, inArray, lt, or } from 'drizzle-orm'
import { dropDocuments, useDocuments as takeInUse } from '#features/care/documents/server-keep.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import type { Ctx, Services } from '#server/ctx.ts'
import { logOperation, objectKey } from '#server/operation-log.ts'
import { actAsSystem, SYSTEM_ACTOR } from '#server/system.ts'
import { OWNER_PAPER_NAMES, OWNER_TEXT_KEYS, UNUSED_KEPT_DAYS } from './rules.ts'
import { ownerPapers as table } from './tables.ts'

/** Links of one transaction. */
const AT_ONCE = 20

export async function forgetUnused(services: Services, now: Date): Promise<number> {
  let forgotten = 0
  for (;;) {
    const part = await actAsSystem(services, 'owners who did not go on', ctx => forgetPart(ctx, now))
    forgotten += part
    if (part < AT_ONCE) return forgotten
  }
}

async function forgetPart(ctx: Ctx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - UNUSED_KEPT_DAYS * 86_400_000).toISOString()
  const rows = await ctx.db
    .select()
    .from(table)
    .where(
      and(
        inArray(table.state, ['draft', 'returned']),
        or(lt(table.expiresAt, before), lt(table.endedAt, before)),
        eq(table.isForgotten, false),
      ),
    )
    .orderBy(table.merchantId)
    .limit(AT_ONCE)
  for (const row of rows) {
    const { id, merchantId, agentId } = row
    const shop = await lockMerchant(ctx, merchantId)
    await takeInUse(ctx, merchantId, { feature: 'ownerPapers', objectId: id }, [])
    await dropDocuments(
      ctx,
      merchantId,
      OWNER_PAPER_NAMES.flatMap(name => row[name] ?? []),
    )
    await ctx.db
      .update(table)
      .set({
        ...Object.fromEntries([...OWNER_TEXT_KEYS, 'phone'].map(key => [key, ''])),
        ...Object.fromEntries(OWNER_PAPER_NAMES.map(name => [name, null])),
        ...{ idNumber: null, idNumberMasked: '', accountNumber: null, accountNumberMasked: '' },
        ...{ signedText: '', signatureId: null, sent: {}, isForgotten: true },
        ...{ endedAt: row.endedAt ?? now.toISOString(), endedByName: row.endedByName || SYSTEM_ACTOR.name },
      })
      .where(eq(table.id, id))
    await logOperation(ctx, {
      operation: '/owner-papers forgetUnused',
      title: '清除店主未提交的资料',
      subject: `${shop.shopName} (${merchantId})`,
      objects: [objectKey('merchant', merchantId)],
      ...{ changes: [], by: SYSTEM_ACTOR, merchantId, aboutAgentId: agentId },
    })
  }
  return rows.length
}
