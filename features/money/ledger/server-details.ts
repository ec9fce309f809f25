// What every kind of document gives to the one drawer of orders, and the kind that any movement of the ledger is.
import { and, asc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { loggedText } from '#kit/declare/field-text.ts'
import type { Field, Fields, Tone } from '#kit/declare/fields.ts'
import { formatInstant } from '#kit/time.ts'
import { type Ctx, ownRows } from '#server/ctx.ts'
import type { DetailTable, DocumentDetails, Fact } from './contract-details.ts'
import { CHANGE_FIELDS } from './fields.ts'
import { ASSET_NAMES, type Asset, assetText, SHOWN_ORDER_CHARS, TRANSFER_KINDS } from './rules.ts'
import { ledgerAccounts, ledgerEntries, ledgerTransfers } from './tables.ts'

export type Details = z.infer<typeof DocumentDetails>
type Table = z.infer<typeof DetailTable>

/** A kind of document that opens by its number. */
export type DetailsKind = {
  /** Whoever holds one of these may open it. */
  permissions: readonly string[]
  numbers: { number: PgColumn; agentId: PgColumn }
  /** Within the acting agent's walls. */
  find(ctx: Ctx, orderNo: string): Promise<Details | null>
}

/** These fields of a row under their labels, each with its unit; what has no value is left out. */
export function factsOf(fields: Fields, row: object, ...keys: string[]): z.infer<typeof Fact>[] {
  return keys.flatMap(key => {
    const field = fields[key] as Field
    const text = loggedText(field, (row as Readonly<Record<string, unknown>>)[key])
    return text ? [{ label: field.label, text }] : []
  })
}

export function fact(label: string, text: string | null): z.infer<typeof Fact>[] {
  return text ? [{ label, text }] : []
}

/** A word of a state with its colour. */
export function stateOf({ words = {}, tones = {} }: Field, value: string): { text: string; tone: Tone } {
  return { text: words[value] ?? value, tone: tones[value] ?? 'neutral' }
}

type Row = { cells: string[]; orderNo?: string | null; merchantId?: number | null }

/** A table of texts; a head that begins with # is over numbers. Without rows there is none. */
export function tableOf(title: string, heads: readonly string[], rows: readonly Row[]): Table[] {
  if (rows.length === 0) return []
  return [
    {
      title,
      heads: heads.map(head => ({ label: head.replace(/^#/, ''), isNumber: head.startsWith('#') })),
      rows: rows.map(({ cells, orderNo = null, merchantId = null }) => ({ cells, orderNo, merchantId })),
    },
  ]
}

/** Who took an order back, of the columns in which every kind keeps it. */
export function undoneOf(order: {
  undoneAt: string | null
  undoneByName: string
  undoneReason: string
}): Details['undone'] {
  if (order.undoneAt === null) return null
  return { at: order.undoneAt, byName: order.undoneByName, reason: order.undoneReason }
}

/** Selects the numbers of this kind that are this or, where so many characters are shown, end so; two are as good as many. */
export function numbersLike(
  ctx: Ctx,
  { number, agentId }: DetailsKind['numbers'],
  asked: string,
  at: number,
): SQL {
  const isTail = asked.length === SHOWN_ORDER_CHARS
  const compared = isTail ? sql`right(${number}, ${sql.raw(String(SHOWN_ORDER_CHARS))})` : number
  return ctx.db
    .selectDistinct({ at: sql`${sql.raw(String(at))}`.as('at'), no: sql`${number}`.as('no') })
    .from(number.table)
    .where(and(sql`${compared} = ${asked}`, ownRows(ctx, agentId)))
    .limit(2)
    .getSQL()
}

const signed = (asset: Asset, amount: number) =>
  `${amount > 0 ? '+' : '−'}${assetText(asset, Math.abs(amount))}`
const OWNERS = { agent: '代理商', merchant: '商户', vendor: '厂商' } as const

/** More movements than any document has but a campaign's. */
const ENTRIES_MAX = 200

/** What a document moved on the accounts of its agent, oldest first. */
function entriesOf(ctx: Ctx, document: string) {
  return ctx.db
    .select({ entry: ledgerEntries, transfer: ledgerTransfers, account: ledgerAccounts })
    .from(ledgerTransfers)
    .innerJoin(ledgerEntries, eq(ledgerEntries.transferId, ledgerTransfers.id))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(
      and(
        eq(ledgerTransfers.document, document),
        isNotNull(ledgerEntries.agentId),
        ownRows(ctx, ledgerEntries.agentId),
        // Tokens are told to whoever may see balances, not to whoever sees changes of SMS credit alone.
        ctx.actor.permissions.has('ledger.changes') ? undefined : eq(ledgerAccounts.asset, 'sms'),
      ),
    )
    .orderBy(asc(ledgerEntries.id))
    .limit(ENTRIES_MAX)
}

/** The document's movements with the balance before and after each. */
export async function movementsTable(ctx: Ctx, document: string): Promise<Table[]> {
  const rows = await entriesOf(ctx, document)
  return tableOf(
    '账务流水',
    ['时间', '账户', '类型', '#变动', '#变动前', '#变动后', '操作人'],
    rows.map(({ entry, transfer, account }) => ({
      cells: [
        formatInstant(entry.createdAt),
        `${OWNERS[account.ownerKind]}${ASSET_NAMES[account.asset]}`,
        TRANSFER_KINDS[transfer.kind],
        signed(account.asset, entry.amount),
        assetText(account.asset, entry.balanceBefore ?? 0),
        assetText(account.asset, entry.balanceAfter ?? 0),
        transfer.actorName,
      ],
    })),
  )
}

/** Whatever moved money or credit and is no order: what the operator credited, an allocation, messages that were sent. */
export const MOVEMENT_DETAILS: DetailsKind = {
  permissions: ['ledger.changes', 'smsDesk.merchantChanges'],
  numbers: { number: ledgerTransfers.document, agentId: ledgerTransfers.agentId },
  async find(ctx, orderNo) {
    const rows = await entriesOf(ctx, orderNo)
    const [first] = rows
    if (!first) return null
    const { entry, transfer, account } = first
    return {
      kind: 'movement',
      orderNo,
      agentId: entry.agentId ?? transfer.agentId,
      merchantId: transfer.merchantId,
      title: transfer.description,
      state: rows.some(row => row.transfer.reversesId !== null)
        ? { text: '已退回', tone: 'neutral' }
        : { text: '已入账', tone: 'done' },
      bought: fact('类型', TRANSFER_KINDS[transfer.kind]),
      amounts: [
        ...fact('金额', signed(account.asset, entry.amount)),
        ...factsOf(CHANGE_FIELDS, transfer, 'payMethod'),
      ],
      made: [
        ...factsOf(CHANGE_FIELDS, transfer, 'actorName'),
        ...fact(CHANGE_FIELDS.createdAt.label, formatInstant(entry.createdAt)),
      ],
      tables: [],
      remark: transfer.remark,
      batchNo: null,
      undone: null,
      undoKind: null,
    }
  },
}
