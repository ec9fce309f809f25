import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  check,
  date,
  index,
  pgTable,
  pgView,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { bytes, id, instant, whole } from '#server/columns.ts'
import type { Asset, Book, OwnerKind, PayMethod, TransferKind } from './rules.ts'

// In no list: balances and changes, by the ledger.
export const ledgerAccounts = pgTable(
  'ledger_accounts',
  {
    id: id(),
    ownerKind: text('owner_kind').$type<OwnerKind>().notNull(),
    /** The agent or merchant; 0 for the vendor. */
    ownerId: whole('owner_id').notNull(),
    /** Which of the vendor's books; empty for others. */
    book: text('book').$type<Book | ''>().notNull().default(''),
    asset: text('asset').$type<Asset>().notNull(),
    /** The agent whose data this is; null for the vendor's books. */
    agentId: whole('agent_id'),
    balance: whole('balance'),
    entryCount: whole('entry_count').notNull().default(0),
    headHash: bytes('head_hash'),
  },
  table => [
    uniqueIndex('ledger_accounts_owner').on(table.ownerKind, table.ownerId, table.asset, table.book),
    check('ledger_accounts_never_negative', sql`${table.balance} >= 0`),
    check(
      'ledger_accounts_vendor_holds_none',
      sql`(${table.ownerKind} = 'vendor') = (${table.balance} is null)`,
    ),
  ],
)

// In no list: balances and changes, by the ledger.
export const ledgerTransfers = pgTable(
  'ledger_transfers',
  {
    id: id(),
    kind: text('kind').$type<TransferKind>().notNull(),
    asset: text('asset').$type<Asset>().notNull(),
    amount: whole('amount').notNull(),
    fromAccountId: whole('from_account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    toAccountId: whole('to_account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    document: text('document').notNull(),
    merchantId: whole('merchant_id'),
    payMethod: text('pay_method').$type<PayMethod>().notNull(),
    /** The agent whose money moved. */
    agentId: whole('agent_id').notNull(),
    actorId: whole('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    description: text('description').notNull(),
    remark: text('remark').notNull(),
    reversesId: whole('reverses_id').references((): AnyPgColumn => ledgerTransfers.id),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    uniqueIndex('ledger_transfers_reverses_id').on(table.reversesId),
    index('ledger_transfers_document').on(table.document),
    index('ledger_transfers_deposits').on(table.agentId, table.createdAt).where(sql`asset = 'deposit'`),
    check('ledger_transfers_amount_positive', sql`${table.amount} > 0`),
    check('ledger_transfers_two_accounts', sql`${table.fromAccountId} <> ${table.toAccountId}`),
  ],
)

// In no list: balances and changes, by the ledger.
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: id(),
    transferId: whole('transfer_id')
      .notNull()
      .references(() => ledgerTransfers.id),
    accountId: whole('account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    agentId: whole('agent_id'),
    /** Signed: positive into the account, negative out of it. */
    amount: whole('amount').notNull(),
    /** The account's version: 1, 2, 3 …; null for the vendor's books, as are the balances. */
    sequence: whole('sequence'),
    balanceBefore: whole('balance_before'),
    balanceAfter: whole('balance_after'),
    hash: bytes('hash'),
    payMethod: text('pay_method').$type<PayMethod>().notNull(),
    actorId: whole('actor_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [
    uniqueIndex('ledger_entries_account_sequence').on(table.accountId, table.sequence),
    index('ledger_entries_transfer_id').on(table.transferId),
    index('ledger_entries_account_created').on(table.accountId, table.createdAt.desc(), table.id.desc()),
  ],
)

/** What the order that a document is says of itself, whichever feature's it is. */
export const documentFacts = pgView('document_facts', {
  orderNo: text('order_no').notNull(),
  priceCents: whole('price_cents'),
  orderRemark: text('order_remark').notNull(),
  orderedByName: text('ordered_by_name'),
  /** Of an undo that a second person approved. */
  undoAskedByName: text('undo_asked_by_name'),
}).existing()

/** What moved on a day of Asia/Shanghai on an agent's own accounts, by kind; kept by ledger_post. */
// In no list: balances and changes, by the ledger.
export const ledgerDays = pgTable(
  'ledger_days',
  {
    agentId: whole('agent_id').notNull(),
    day: date('day').notNull(),
    asset: text('asset').$type<Asset>().notNull(),
    kind: text('kind').$type<TransferKind>().notNull(),
    transfers: whole('transfers').notNull(),
    income: whole('income').notNull(),
    spent: whole('spent').notNull(),
  },
  table => [primaryKey({ columns: [table.agentId, table.day, table.asset, table.kind] })],
)

/** A shop went to another agent: its account's entries up to `sequence` are the former agent's. Written by ledger_move_merchant. */
// In no list: balances and changes, by the ledger.
export const ledgerMoves = pgTable(
  'ledger_moves',
  {
    id: id(),
    accountId: whole('account_id')
      .notNull()
      .references(() => ledgerAccounts.id),
    sequence: whole('sequence').notNull(),
    fromAgentId: whole('from_agent_id').notNull(),
    toAgentId: whole('to_agent_id').notNull(),
    actorId: whole('actor_id').notNull(),
    actorName: text('actor_name').notNull(),
    /** Covers the move and the hash of the entry at `sequence`. */
    hash: bytes('hash').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  table => [index('ledger_moves_account_id').on(table.accountId, table.id)],
)
