// Threads of shops that become demands: what a demand begins with, which demands a thread has led to, and the trace that stays in it.
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import { messagesOf, seen } from '#features/care/threads/server-rows.ts'
import { threads } from '#features/care/threads/tables.ts'
import { agents } from '#features/office/agents/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { RICH_LIMITS } from '#kit/words/rich.ts'
import { type Ctx, identityOf, type Verb } from '#server/ctx.ts'
import { pictureBytes, storePicture } from '#server/files.ts'
import { asJpeg } from '#server/pictures.ts'
import { found, refuse } from '#server/refuse.ts'
import type { demands as contract } from './contract.ts'
import { DEMAND_PICTURE, LINK_REFUSALS, titleFrom } from './rules.ts'
import { DEMAND_FILES } from './server-files.ts'
import { refuseOthers, staffOnly, subjectOf } from './server-rows.ts'
import { demands, demandSources as sources } from './tables.ts'

/** A thread that whoever acts may look at, with its shop. */
async function threadSeen(ctx: Ctx, id: number) {
  const [row] = await ctx.db
    .select({
      id: threads.id,
      kind: threads.kind,
      feedbackId: threads.olderId,
      title: threads.title,
      merchantId: threads.merchantId,
      shopName: merchants.shopName,
      writer: threads.createdByName,
      industryId: merchants.industryId,
      pictureId: threads.pictureId,
      agentName: agents.companyName,
      createdAt: threads.createdAt,
    })
    .from(threads)
    .innerJoin(agents, eq(agents.id, threads.agentId))
    .leftJoin(merchants, eq(merchants.id, threads.merchantId))
    .where(and(eq(threads.id, id), seen(ctx), staffOnly(ctx)))
  return row
}

/** What the shop said in a thread, and the pictures in it. */
async function saidIn(ctx: Ctx, thread: { id: number; feedbackId: number | null; pictureId: string | null }) {
  if (thread.feedbackId !== null)
    return { text: '', pictures: thread.pictureId === null ? [] : [thread.pictureId] }
  const messages = await messagesOf(ctx, thread.id, false)
  return {
    text: messages.find(({ side }) => side === 'shop')?.text ?? '',
    pictures: messages.flatMap(({ pictures }) => pictures).slice(0, RICH_LIMITS.pictures),
  }
}

export const readThread: Verb<typeof contract.thread> = async (ctx, { id }) => {
  refuseOthers(ctx)
  const thread = found(await threadSeen(ctx, id))
  const { text, pictures } = await saidIn(ctx, thread)
  const { feedbackId } = thread
  const rows = await ctx.db
    .select({ id: demands.id, title: demands.title, status: demands.status, sourceId: sources.id })
    .from(sources)
    .innerJoin(demands, eq(demands.id, sources.demandId))
    .where(
      and(
        or(eq(sources.threadId, id), feedbackId === null ? undefined : eq(sources.feedbackId, feedbackId)),
        isNull(demands.deletedAt),
        isNull(demands.mergedIntoId),
      ),
    )
    .orderBy(asc(demands.id))
  const said = text || thread.title
  return {
    ...thread,
    shopName: thread.shopName ?? thread.writer,
    text: said,
    pictures: pictures.length,
    newTitle: titleFrom(said),
    demands: rows,
  }
}

/**
 * Copies of the thread's pictures, to stand in a demand: those of the thread stay the shop's. They are written when no connection is
 * held; what no demand keeps is removed within a day.
 */
export const copyPictures: Verb<typeof contract.copyPictures> = async (ctx, { id }) => {
  refuseOthers(ctx)
  const { services } = ctx
  const pictures = await services.database.read(identityOf(ctx.actor, services.walls), async ({ db }) => {
    const reading = { ...ctx, db }
    return (await saidIn(reading, found(await threadSeen(reading, id)))).pictures
  })
  const copies: string[] = []
  for (const picture of pictures) {
    const bytes = await pictureBytes(services, picture)
    if (bytes === null) continue
    const upload = { purpose: DEMAND_PICTURE, bytes: await asJpeg(bytes) }
    copies.push((await storePicture(DEMAND_FILES, ctx, ctx.actor, upload)).id)
  }
  return { pictures: copies }
}

/** The thread as a source of a demand; older feedback is one of its own kind. */
export async function sourceOfThread(ctx: Ctx, id: number) {
  const row = await threadSeen(ctx, id)
  refuse(row ? null : 'THREAD_UNKNOWN', LINK_REFUSALS, { field: 'threadId' })
  const { feedbackId, merchantId, createdAt, shopName } = found(row)
  if (feedbackId !== null) return { kind: 'feedback' as const, feedbackId }
  return {
    kind: 'thread' as const,
    ...{ threadId: id, merchantId, askedAt: createdAt, name: `${shopName ?? ''} 的反馈 (${id})` },
  }
}

const TRACES = { made: '已转为需求', linked: '已关联需求', unlinked: '已取消关联需求' } as const

/** What colleagues read in the thread. */
export function traceOf(demand: { id: number; title: string }, what: keyof typeof TRACES): string {
  return `${TRACES[what]}「${subjectOf(demand)}」`
}
