// The shop's side of a thread, through the door for point-of-sale software. No note is ever read here.
import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { agents } from '#features/office/agents/tables.ts'
import { REFUSALS as MERCHANT_REFUSALS, refuseDisabled } from '#features/shops/merchants/rules.ts'
import { lockMerchant } from '#features/shops/merchants/server-edit.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { keepShopPicture } from '#features/shops/pos-changes/server-pictures.ts'
import { formatDay, startOfDay } from '#kit/time.ts'
import { type Ctx, identityOf, ownRows, type Verb } from '#server/ctx.ts'
import { pictureBytes } from '#server/files.ts'
import { settingOf } from '#server/office/settings.ts'
import { found, refuse } from '#server/refuse.ts'
import { serve } from '#server/serve.ts'
import { files } from '#server/tables.ts'
import { threadsAtPos as contract } from './contract-pos.ts'
import {
  OFFICE_SIDES,
  RATING_QUESTIONS,
  RATING_REFUSALS,
  RESOLUTIONS,
  refuseMore,
  refuseRating,
  SATISFACTIONS,
  THREAD_MESSAGES_PER_DAY,
  THREAD_PICTURE,
  THREAD_STEPS,
  THREADS_PER_DAY,
  titleOf,
  WRITE_REFUSALS,
} from './rules.ts'
import { THREAD_FILES } from './server-files.ts'
import { messagesOf } from './server-rows.ts'
import {
  addMessage,
  afterMessage,
  lockThread,
  refuseMessage,
  subjectOf,
  type Thread,
  tellDesk,
  tellPresent,
} from './server-write.ts'
import { threadMessages, threadPictures, threads } from './tables.ts'

/** So many of a shop's threads are told. */
const TOLD = 100

const isOwn = (ctx: Ctx) => ownRows(ctx, threads.agentId)
const shopOf = (id: number, ctx: Ctx) => and(eq(merchants.id, id), ownRows(ctx, merchants.agentId))

const present = (thread: Thread) => ({ ...thread, unread: thread.lastOfficeId > thread.shopSeen })

const listOfShop: Verb<typeof contract.ofShop> = async (ctx, { id }) => {
  const [shop] = await ctx.db.select({ id: merchants.id }).from(merchants).where(shopOf(id, ctx))
  const rows = await ctx.db
    .select()
    .from(threads)
    .where(and(eq(threads.merchantId, found(shop).id), isOwn(ctx)))
    .orderBy(desc(threads.lastAt), desc(threads.id))
    .limit(TOLD)
  return { threads: rows.map(present) }
}

const showThread: Verb<typeof contract.thread> = async (ctx, { id }) => {
  const [row] = await ctx.db
    .select()
    .from(threads)
    .where(and(eq(threads.id, id), eq(threads.kind, 'shop'), isOwn(ctx)))
  const thread = found(row)
  const messages = await messagesOf(ctx, id, false)
  return {
    ...present(thread),
    shopId: found(thread.merchantId),
    messages: messages.map(message => {
      const { side, authorName, createdAt, rates, satisfaction, resolution } = message
      const from = side === 'shop' || side === 'system' ? side : ('office' as const)
      return {
        ...{ id: message.id, text: message.text, pictures: message.pictures, at: createdAt },
        ...{ from, name: authorName },
        seen: message.id <= (from === 'shop' ? thread.officeSeen : thread.shopSeen),
        rating: rates ? { questions: RATING_QUESTIONS, satisfaction, resolution } : null,
      }
    }),
  }
}

/** The bytes are asked for when no connection is held: their storage may be far away. */
const showPicture: Verb<typeof contract.picture> = async (ctx, { id }) => {
  const { services } = ctx
  const kept = await services.database.read(identityOf(ctx.actor, services.walls), async ({ db }) => {
    const [file] = await db
      .select({ id: files.id, mime: files.mime })
      .from(threadPictures)
      .innerJoin(files, eq(files.id, threadPictures.fileId))
      .innerJoin(threadMessages, eq(threadMessages.id, threadPictures.messageId))
      .where(
        and(
          eq(threadPictures.fileId, id),
          inArray(threadMessages.side, ['shop', ...OFFICE_SIDES]),
          ownRows(ctx, threadPictures.agentId),
        ),
      )
    return found(file)
  })
  // By the id as it is kept: it is found in capitals, too.
  const bytes = found(await pictureBytes(services, kept.id))
  return { type: kept.mime, data: bytes.toString('base64') }
}

const file: Verb<typeof contract.file> = async (ctx, { id, text, pictures }) => {
  await refuseMessage(ctx, text, pictures)
  const shop = await lockMerchant(ctx, id)
  refuse(refuseDisabled(shop.status), MERCHANT_REFUSALS)
  await refuseTooMany(ctx, id, true)
  const [agent] = await ctx.db
    .select({ isVendorStaff: agents.isVendorStaff })
    .from(agents)
    .where(eq(agents.id, shop.agentId))
  const now = ctx.now.toISOString()
  const title = titleOf(text)
  const [row] = await ctx.db
    .insert(threads)
    .values({
      ...{ agentId: shop.agentId, merchantId: id, kind: 'shop', title, state: THREAD_STEPS.write.to },
      ...{ shopName: shop.shopName, account: shop.account, createdByName: shop.personName },
      pictureId: pictures[0] ?? null,
      desk: found(agent).isVendorStaff ? 'vendor' : 'agent',
      ...{ lastText: title, lastAt: now, words: text, waitingSince: now, createdAt: now },
    })
    .returning()
  const thread = found(row)
  const author = { id: 0, name: shop.shopName }
  const messageId = await addMessage(ctx, thread, { side: 'shop', text, pictures }, author)
  await ctx.db
    .update(threads)
    .set({ lastShopId: messageId })
    .where(and(eq(threads.id, thread.id), isOwn(ctx)))
  await tellDesk(ctx, thread, `${shop.shopName}提交了反馈`, title)
  ctx.object('thread', thread.id)
  ctx.note(subjectOf(thread), [{ name: '内容', before: null, after: text }])
  return { id: thread.id }
}

/** Threads, or messages, of a shop since the day began. */
async function refuseTooMany(ctx: Ctx, merchantId: number, isNew: boolean): Promise<void> {
  const today = startOfDay(formatDay(ctx.now)).toISOString()
  const table = isNew ? threads : threadMessages
  const sent = await ctx.db.$count(
    table,
    and(
      eq(table.merchantId, merchantId),
      gte(table.createdAt, today),
      isNew ? undefined : eq(threadMessages.side, 'shop'),
      ownRows(ctx, table.agentId),
    ),
  )
  const most = await settingOf(ctx, isNew ? THREADS_PER_DAY : THREAD_MESSAGES_PER_DAY)
  if (sent >= most) refuse(isNew ? 'THREADS_TOO_MANY' : 'MESSAGES_TOO_MANY', WRITE_REFUSALS)
}

const answer: Verb<typeof contract.answer> = async (ctx, { id, text, pictures }) => {
  await refuseMessage(ctx, text, pictures)
  const thread = await lockThread(ctx, id, and(isOwn(ctx), eq(threads.kind, 'shop')))
  refuse(refuseMore(thread.state, 'write'), WRITE_REFUSALS)
  const [shop] = await ctx.db
    .select({ status: merchants.status, shopName: merchants.shopName })
    .from(merchants)
    .where(shopOf(found(thread.merchantId), ctx))
  const { status, shopName } = found(shop)
  refuse(refuseDisabled(status), MERCHANT_REFUSALS)
  await refuseTooMany(ctx, found(thread.merchantId), false)
  const messageId = await addMessage(ctx, thread, { side: 'shop', text, pictures }, { id: 0, name: shopName })
  const shown = afterMessage(ctx, text)
  await ctx.db
    .update(threads)
    .set({
      ...shown,
      state: THREAD_STEPS.write.to,
      lastShopId: messageId,
      shopSeen: thread.lastOfficeId,
      waitingSince: thread.waitingSince ?? shown.lastAt,
      pictureId: thread.pictureId ?? pictures[0] ?? null,
    })
    .where(and(eq(threads.id, id), isOwn(ctx), inArray(threads.state, [...THREAD_STEPS.write.from])))
  await tellDesk(ctx, thread, `${shopName}回复了反馈`, text)
  await tellPresent(ctx, id)
  ctx.note(subjectOf(thread), [{ name: '内容', before: null, after: text }])
  return { id: messageId }
}

const rate: Verb<typeof contract.rate> = async (ctx, { id, messageId, satisfaction, resolution }) => {
  const thread = await lockThread(ctx, id, and(isOwn(ctx), eq(threads.kind, 'shop')))
  const ofThread = and(
    eq(threadMessages.id, messageId),
    eq(threadMessages.threadId, id),
    ownRows(ctx, threadMessages.agentId),
  )
  const [message] = await ctx.db
    .select({ rates: threadMessages.rates, satisfaction: threadMessages.satisfaction })
    .from(threadMessages)
    .where(ofThread)
  refuse(refuseRating(found(message)), RATING_REFUSALS)
  const ratedAt = ctx.now.toISOString()
  await ctx.db.update(threadMessages).set({ satisfaction, resolution, ratedAt }).where(ofThread)
  await ctx.db
    .update(threads)
    .set({ satisfaction, resolution, shopSeen: sql`greatest(${threads.shopSeen}, ${messageId}::bigint)` })
    .where(and(eq(threads.id, id), isOwn(ctx)))
  const words = `${SATISFACTIONS[satisfaction]}、${RESOLUTIONS[resolution]}`
  await tellDesk(ctx, thread, `${thread.shopName}评价了反馈`, words)
  await tellPresent(ctx, id)
  ctx.note(subjectOf(thread), [{ name: '评价', before: null, after: words }])
  return { id }
}

const markRead: Verb<typeof contract.read> = async (ctx, { id, upTo }) => {
  const marked = await ctx.db
    .update(threads)
    .set({ shopSeen: sql`greatest(${threads.shopSeen}, least(${threads.lastOfficeId}, ${upTo}::bigint))` })
    .where(and(eq(threads.id, id), eq(threads.kind, 'shop'), isOwn(ctx)))
    .returning({ id: threads.id })
  found(marked[0])
  await tellPresent(ctx, id)
  return { id }
}

export const threadsPosRouter = serve(contract, {
  ofShop: listOfShop,
  thread: showThread,
  picture: showPicture,
  keepPicture: (ctx, picture) =>
    keepShopPicture(ctx, picture, { purposes: THREAD_FILES, purpose: THREAD_PICTURE }),
  file,
  answer,
  rate,
  read: markRead,
})
