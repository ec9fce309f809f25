import { ToolShop } from '#features/sales/aftersales/contract.ts'
import { TOOL_REFUSALS } from '#features/sales/aftersales/rules.ts'
import { fileOf, listInput, rowShape } from '#kit/declare/list-input.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { pageOf, searchText, whole } from '#kit/declare/page.ts'
import { linesText, lineText, madeText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { CLEARING_FIELDS, CLEARINGS } from './fields.ts'
import { CLEARING_REFUSALS, LIMITS } from './rules.ts'

const find = 'tableClearing.find'
const clear = 'tableClearing.clear'
const approve = 'tableClearing.approve'
const stale = ['tableClearing', 'renewals', 'inbox'] as const
const errors = errorsOf(CLEARING_REFUSALS)
/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(500)
const ById = z.object({ id: whole(1) })

export const ClearingRow = z.object(rowShape(CLEARING_FIELDS))

const Details = ClearingRow.extend({
  account: z.string(),
  askedBy: z.number(),
  checksum: z.string().nullable(),
  percent: z.number(),
  events: z.array(z.object({ at: z.string(), text: z.string(), by: z.string() })),
})

export const tableClearing = {
  /** The shop of an id or account, and what was emptied of it lately. */
  find: op(
    { permission: find },
    { method: 'GET', path: '/tools/clearing/shop', summary: 'The shop whose data are to be emptied' },
  )
    .errors(errorsOf(TOOL_REFUSALS))
    .input(z.object({ search: searchText }))
    .output(
      z.object({
        shop: ToolShop.nullable(),
        clearings: z.array(ClearingRow.extend({ tableKey: z.string() })),
      }),
    ),
  /** Asks the point of sale. With a table and its rows as they were shown: refused where that is not what is there. */
  tables: op(
    { permission: find, detached: true },
    {
      method: 'GET',
      path: '/tools/clearing/tables',
      summary: 'Tables of a shop at the point of sale, with their rows',
    },
  )
    .errors(errors)
    .input(
      z.object({
        merchantId: whole(1),
        table: madeText.min(1).max(LIMITS.name).optional(),
        rows: whole(0).optional(),
      }),
    )
    .output(
      z.object({
        tables: z.array(z.object({ key: z.string(), name: z.string(), rows: z.number() })),
        /** Above so many rows a second person is asked for. */
        secondAbove: z.number(),
      }),
    ),
  list: op(
    { permission: 'tableClearing.list' },
    { method: 'GET', path: '/tools/clearings', summary: 'Tables that were emptied, the latest first' },
  )
    .input(z.object(listInput(CLEARINGS)))
    .output(pageOf(ClearingRow)),
  details: op(
    { permission: 'tableClearing.list' },
    { method: 'GET', path: '/tools/clearings/{id}', summary: 'One clearing with all its steps' },
  )
    .input(ById)
    .output(Details),
  /** Empties nothing by itself: it is backed up first, and above some rows a second person is asked. */
  ask: op(
    { permission: clear, log: '清空数据', stepUp: true, idempotent: true, stale },
    { method: 'POST', path: '/tools/clearings', summary: 'Ask for a table to be backed up and emptied' },
  )
    .errors(errors)
    .input(
      z.object({
        merchantId: whole(1),
        table: madeText.min(1).max(LIMITS.name),
        /** What the service calls it, and how many rows it had, as was shown; both are asked for again before anything is done. */
        tableName: lineText.min(1).max(LIMITS.name),
        rows: whole(0),
        shopName: lineText.max(500),
        reason: text,
      }),
    )
    .output(z.object({ id: z.number(), state: ClearingRow.shape.state })),
  approve: op(
    { permission: approve, log: '同意清空数据', stepUp: true, stale },
    {
      method: 'POST',
      path: '/tools/clearings/{id}/approval',
      summary: 'Let a table be emptied as a second person',
    },
  )
    .errors(errors)
    /** `rows`: as they were shown. */
    .input(z.object({ id: whole(1), rows: whole(0) }))
    .output(ById),
  reject: op(
    { permission: approve, log: '驳回清空数据', stale },
    { method: 'POST', path: '/tools/clearings/{id}/rejection', summary: 'Refuse that a table is emptied' },
  )
    .errors(errors)
    .input(z.object({ id: whole(1), decision: text }))
    .output(ById),
  cancel: op(
    { permission: clear, log: '取消清空数据', stale },
    {
      method: 'POST',
      path: '/tools/clearings/{id}/cancellation',
      summary: 'Take a request back before anything is emptied',
    },
  )
    .errors(errors)
    .input(ById)
    .output(ById),
  restore: op(
    { permission: clear, log: '恢复数据', stepUp: true, stale },
    { method: 'POST', path: '/tools/clearings/{id}/restoration', summary: 'Bring the rows of a backup back' },
  )
    .errors(errors)
    .input(z.object({ id: whole(1), reason: text }))
    .output(ById),
}

export const tableClearingDownloads = { list: fileOf(CLEARINGS) }
