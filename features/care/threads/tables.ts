import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { feedbackMessages } from '#features/care/feedback/tables.ts'
import { merchants } from '#features/shops/merchants/tables.ts'
import { id, instant, presenceColumns, saidColumns, whole } from '#server/columns.ts'
import { files } from '#server/tables.ts'
import type { MessageSide, Resolution, Satisfaction, ThreadDesk, ThreadKind, ThreadState } from './rules.ts'

const AWAITS = sql`state = 'awaiting' and kind = 'shop'`

/**
 * Conversations of shops. Of a shop that moves, those that are not closed go along (trigger); a closed one follows when it is opened
 * anew. Rows of the kind `older` are made of `feedback_messages` by a trigger and say nothing that does not stand there.
 */
export const threads = pgTable(
  'threads',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    /** Null: an older feedback, which is of an agency's person. */
    merchantId: whole('merchant_id').references(() => merchants.id),
    kind: text('kind').$type<ThreadKind>().notNull(),
    // No field: names where it is kept.
    olderId: whole('older_id').references(() => feedbackMessages.id),
    /** What the shop said first, cut. */
    title: text('title').notNull(),
    /** As it was called when it wrote. */
    shopName: text('shop_name').notNull().default(''),
    account: text('account').notNull().default(''),
    createdByName: text('created_by_name').notNull().default(''),
    // No field: shown as picture.
    pictureId: uuid('picture_id').references(() => files.id),
    state: text('state').$type<ThreadState>().notNull(),
    desk: text('desk').$type<ThreadDesk>().notNull(),
    /** Since when it lies with the vendor because the agent wanted it so. */
    // No field: told by a note of the conversation.
    passedAt: instant('passed_at'),
    // No field: shown by name.
    assigneeId: whole('assignee_id'),
    assigneeName: text('assignee_name').notNull().default(''),
    lastText: text('last_text').notNull().default(''),
    lastAt: instant('last_at').notNull(),
    /** The latest message of either side, and up to where the other has read. */
    // No field: shown as unread, and as seen of each message.
    lastShopId: whole('last_shop_id').notNull().default(0),
    // No field: shown as unread, and as seen of each message.
    lastOfficeId: whole('last_office_id').notNull().default(0),
    // No field: shown as unread, and as seen of each message.
    officeSeen: whole('office_seen').notNull().default(0),
    // No field: shown as unread, and as seen of each message.
    shopSeen: whole('shop_seen').notNull().default(0),
    /** Counts what the office has said: an answer names the one that its writer has seen. */
    revision: integer('revision').notNull().default(0),
    repliedByName: text('replied_by_name').notNull().default(''),
    firstAnsweredAt: instant('first_answered_at'),
    /** Since when the shop waits; null: it does not. */
    // No field: of the start page.
    waitingSince: instant('waiting_since'),
    satisfaction: text('satisfaction').$type<Satisfaction>(),
    resolution: text('resolution').$type<Resolution>(),
    /** What was said, for the search; no notes. */
    // No field: for the search.
    words: text('words').notNull().default(''),
    createdAt: instant('created_at').notNull(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(
        sql`lower(coalesce(merchant_id::text, '') || chr(31) || shop_name || chr(31) || account || chr(31) || created_by_name || chr(31) || words)`,
      ),
  },
  table => [
    uniqueIndex('threads_older_id').on(table.olderId),
    index('threads_agent_id').on(table.agentId, table.lastAt, table.id),
    index('threads_agent_state').on(table.agentId, table.state, table.lastAt, table.id),
    index('threads_desk').on(table.desk, table.lastAt, table.id),
    index('threads_desk_state').on(table.desk, table.state, table.lastAt, table.id),
    index('threads_merchant_id').on(table.merchantId, table.lastAt, table.id),
    index('threads_waiting_agent')
      .on(table.agentId, table.waitingSince, table.id)
      .where(sql`desk = 'agent' and ${AWAITS}`),
    index('threads_waiting_vendor')
      .on(table.waitingSince, table.id)
      .where(sql`desk = 'vendor' and ${AWAITS}`),
    index('threads_answered').on(table.firstAnsweredAt).where(sql`first_answered_at is not null`),
    index('threads_picture_id').on(table.pictureId).where(sql`picture_id is not null`),
    index('threads_search').using('gin', sql`bigrams(${table.searchText})`),
  ],
)

// In no list: the conversation of a thread.
export const threadMessages = pgTable(
  'thread_messages',
  {
    id: id(),
    agentId: whole('agent_id').notNull(),
    /** No reference: whoever holds a thread waits for no shop. */
    merchantId: whole('merchant_id'),
    threadId: whole('thread_id')
      .notNull()
      .references(() => threads.id),
    side: text('side').$type<MessageSide>().notNull(),
    /** Author 0: the shop, or the program. */
    ...saidColumns(),
    /** A system message that asks the shop for its ratings, and what it answered. */
    rates: boolean('rates').notNull().default(false),
    satisfaction: text('satisfaction').$type<Satisfaction>(),
    resolution: text('resolution').$type<Resolution>(),
    ratedAt: instant('rated_at'),
  },
  table => [
    index('thread_messages_thread_id').on(table.threadId, table.id),
    index('thread_messages_merchant_id').on(table.merchantId, table.createdAt),
    index('thread_messages_agent_id').on(table.agentId, table.id),
  ],
)

/** Their files belong to the agent of the shop, whoever sent them (trigger). */
// In no list: the conversation of a thread.
export const threadPictures = pgTable(
  'thread_pictures',
  {
    messageId: whole('message_id')
      .notNull()
      .references(() => threadMessages.id),
    position: integer('position').notNull(),
    agentId: whole('agent_id').notNull(),
    merchantId: whole('merchant_id'),
    threadId: whole('thread_id').notNull(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => files.id),
  },
  table => [
    primaryKey({ columns: [table.messageId, table.position] }),
    index('thread_pictures_file_id').on(table.fileId),
    index('thread_pictures_thread_id').on(table.threadId),
  ],
)

/** Who of the office looks at a thread, and types. */
// In no list: the conversation of a thread.
export const threadPresence = pgTable(
  'thread_presence',
  {
    threadId: whole('thread_id').notNull(),
    merchantId: whole('merchant_id'),
    ...presenceColumns(),
  },
  table => [
    primaryKey({ columns: [table.threadId, table.accountId] }),
    index('thread_presence_seen_at').on(table.seenAt),
  ],
)

/** Canned replies, with places that are filled where they are chosen. */
// In no list: in the one editor of reference data, which is made of declarations.
export const threadAnswers = pgTable('thread_answers', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  text: text('text').notNull(),
  position: integer('position').notNull(),
  /** From then on it is offered no more. */
  retiredAt: instant('retired_at'),
})
