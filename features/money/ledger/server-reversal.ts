// Taking a document's movements back by transfers that name them (money.md): each at most once, never a reversal.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { Book, TransferKind } from './rules.ts'
import { type Movement, type Owner, post } from './server.ts'
import { ledgerAccounts, ledgerTransfers } from './tables.ts'

const sources = alias(ledgerAccounts, 'sources')
const targets = alias(ledgerAccounts, 'targets')

export type Returned = { tokenCents: number; sms: number; smsSpent: number }

/**
 * What reversing this document would return to its agent: tokens in 1/100; SMS credit in pieces, of which a shop can give
 * back only what it still holds.
 */
export async function previewReversal(ctx: Ctx, document: string): Promise<Returned> {
  const { returned } = await reversalOf(ctx, document, '')
  return returned
}

/** Posts the reversal of every transfer of the document, last before commit. Answers what returned to the agent. */
export async function reverseDocument(ctx: Ctx, document: string, remark: string): Promise<Returned> {
  const { movements, returned } = await reversalOf(ctx, document, remark)
  await post(ctx, movements)
  return returned
}

export type Reversal = { movements: Movement[]; returned: Returned }

/** The movements that take one document back, and what they return to its agent. */
export async function reversalOf(ctx: Ctx, document: string, remark: string): Promise<Reversal> {
  const reversals = await reversalsOf(ctx, [document], remark)
  return reversals.get(document) ?? { movements: [], returned: { tokenCents: 0, sms: 0, smsSpent: 0 } }
}

/** The movements that take several documents back, by document, read in one statement and to be posted in one call. */
export async function reversalsOf(
  ctx: Ctx,
  documents: readonly string[],
  remark: string,
): Promise<Map<string, Reversal>> {
  const found = new Map<string, Reversal>()
  if (documents.length === 0) return found
  const heldLeft = new Map<number, number>()
  for (const { transfer, source, sourceBook, target, targetBook } of await transfersOf(ctx, documents)) {
    // The account of a shop that has gone to another agent is out of reach: nothing comes back from it.
    const balance = target === null && targetBook === null ? 0 : (target?.balance ?? null)
    const held = balance === null ? transfer.amount : (heldLeft.get(transfer.toAccountId) ?? balance)
    const amount = transfer.asset === 'sms' ? Math.min(transfer.amount, held) : transfer.amount
    heldLeft.set(transfer.toAccountId, held - amount)
    const reversal = found.get(transfer.document) ?? {
      movements: [],
      returned: { tokenCents: 0, sms: 0, smsSpent: 0 },
    }
    found.set(transfer.document, reversal)
    const { movements, returned } = reversal
    if (transfer.asset === 'token') returned.tokenCents += amount
    else {
      returned.sms += amount
      returned.smsSpent += transfer.amount - amount
    }
    // What nothing comes back from may be out of reach, and is named by no movement.
    if (amount === 0) continue
    movements.push({
      kind: 'undo',
      asset: transfer.asset,
      amount,
      from: ownerOf(target, targetBook),
      to: ownerOf(source, sourceBook),
      document: transfer.document,
      ...(transfer.merchantId === null ? {} : { merchantId: transfer.merchantId }),
      payMethod: transfer.payMethod,
      agentId: transfer.agentId,
      description: `撤销 ${transfer.description}`,
      remark,
      reversesId: transfer.id,
    })
  }
  return found
}

/** Transfers of these documents that nothing has reversed yet, in their order. Only staff may read the rows of the vendor's books. */
function transfersOf(ctx: Ctx, documents: readonly string[]) {
  const reversals = alias(ledgerTransfers, 'reversals')
  return ctx.db
    .select({
      transfer: ledgerTransfers,
      source: sources,
      sourceBook: sql<Book | null>`ledger_book(${ledgerTransfers.fromAccountId})`,
      target: targets,
      targetBook: sql<Book | null>`ledger_book(${ledgerTransfers.toAccountId})`,
    })
    .from(ledgerTransfers)
    .leftJoin(sources, eq(sources.id, ledgerTransfers.fromAccountId))
    .leftJoin(targets, eq(targets.id, ledgerTransfers.toAccountId))
    .leftJoin(reversals, eq(reversals.reversesId, ledgerTransfers.id))
    .where(
      and(
        inArray(ledgerTransfers.document, [...documents]),
        ownRows(ctx, ledgerTransfers.agentId),
        isNull(ledgerTransfers.reversesId),
        isNull(reversals.id),
      ),
    )
    .orderBy(ledgerTransfers.id)
}

/** The document's one transfer of this kind; throws where there is none. */
export async function transferOf(ctx: Ctx, document: string, kind: TransferKind): Promise<number> {
  const [transfer] = await ctx.db
    .select({ id: ledgerTransfers.id })
    .from(ledgerTransfers)
    .where(
      and(
        eq(ledgerTransfers.document, document),
        eq(ledgerTransfers.kind, kind),
        isNull(ledgerTransfers.reversesId),
        ownRows(ctx, ledgerTransfers.agentId),
      ),
    )
  if (!transfer) throw new Error(`${document} has no transfer ${kind}`)
  return transfer.id
}

function ownerOf(account: typeof ledgerAccounts.$inferSelect | null, book: Book | null): Owner {
  if (book !== null) return { kind: 'vendor', book }
  if (account === null || account.ownerKind === 'vendor')
    throw new Error('an account of the transfer is neither the agent’s nor one of the books')
  return { kind: account.ownerKind, id: account.ownerId }
}
