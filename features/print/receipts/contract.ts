import { templateOps } from '#features/print/print-templates/contract-of-kind.ts'
import { TEMPLATE_REFUSALS } from '#features/print/print-templates/rules.ts'
import { errorsOf, op } from '#kit/declare/op.ts'
import { whole } from '#kit/declare/page.ts'
import { linesText, lineText } from '#kit/declare/texts.ts'
import * as z from '#kit/declare/z.ts'
import { UNCALIBRATED } from '#kit/print/bridge/bridge.ts'
import { CalibrationShape } from '#kit/print/bridge/bridge-messages.ts'
import {
  RECEIPT_TYPE_KEYS,
  type ReceiptContent,
  type ReceiptType,
  SECTION_KEYS,
  type Section,
} from '#kit/print/receipt.ts'
import { GROUP_LIMITS, GROUPS_MOST, RECEIPT_REFUSALS } from './rules.ts'

const id = whole(1)
const section = z.enum(SECTION_KEYS as [Section, ...Section[]])
/** Bounded above what rules.ts allows, so that the rules tell what is too long. */
const text = linesText.max(500)

/** In a content, which is kept as it is: a number, no text of one. */
const number = z.number().int().min(1)
/** Ids of up to twenty uploads, divided by commas. */
const LOGO_IDS = /^[\da-f-]{36}(,[\da-f-]{36}){0,19}$/

/** What a payload of the documents held (kit/print/receipt-legacy.ts). */
const kept = z.record(z.string().max(50), z.unknown())

const Item = z.object({
  id: number,
  required: z.boolean(),
  checked: z.boolean(),
  fontSize: z.union([z.literal(0), z.literal(9), z.literal(12)]),
  alignment: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  marginBottom: z.number().int().min(0).max(60),
  label: lineText.max(GROUP_LIMITS.label),
  text: linesText.max(GROUP_LIMITS.text),
  kept: kept.optional(),
})
export const ItemsSchema = z.array(Item).max(60)
const items = ItemsSchema
/** A template's own; groups have no picture. */
const PlacedItem = Item.extend({ picture: z.uuid().optional() })
const Placed = z.object({
  ...{ groupId: number, name: lineText.max(GROUP_LIMITS.name), section },
  items: z.array(PlacedItem).max(60),
  kept: kept.optional(),
})
const placed = z.array(Placed).max(GROUPS_MOST)

export const ReceiptSchema: z.ZodType<ReceiptContent, ReceiptContent> = z.object({
  enableMakeUp: z.boolean(),
  ordinary: placed,
  wide: placed,
})

const GroupRow = z.object({
  id: z.number(),
  name: z.string(),
  section,
  tags: z.string(),
  remarks: z.string(),
  items,
  revision: z.number(),
  updatedByName: z.string(),
  updatedAt: z.string(),
})

const ops = templateOps('receipt', ReceiptSchema)

export const receipts = {
  ...ops,
  /** With the checks of groups that were changed in the template: they are kept with their groups (D3 §5). */
  save: op(
    {
      permission: 'receipts.edit',
      log: '保存小票模板',
      idempotent: true,
      stale: ['receipts'],
      bodyMost: 320 * 1_024,
    },
    {
      method: 'POST',
      path: '/receipt-templates',
      summary: "Save a receipt template's draft, or make a new one",
    },
  )
    .errors(errorsOf({ ...TEMPLATE_REFUSALS, ...RECEIPT_REFUSALS }))
    .input(
      z.object({
        id: id.nullable().default(null),
        revision: id.nullable().default(null),
        name: lineText.max(500),
        industryIds: z.array(id).max(50).default([]),
        content: ReceiptSchema,
        groups: z
          .array(z.object({ id, revision: id, checked: z.array(id).max(60) }))
          .max(2 * GROUPS_MOST)
          .default([]),
      }),
    )
    .output(
      z.object({
        id: z.number(),
        revision: z.number(),
        /** Groups that another changed meanwhile, which keep what they have. */
        staleGroups: z.array(z.string()),
      }),
    ),
  groups: op(
    { permission: 'receipts.list' },
    { method: 'GET', path: '/receipt-groups', summary: 'Groups of what a receipt says' },
  ).output(z.object({ rows: z.array(GroupRow) })),
  /** Without an id a new one. */
  saveGroup: op(
    { permission: 'receipts.edit', log: '保存小票信息分组', idempotent: true, stale: ['receipts.groups'] },
    { method: 'POST', path: '/receipt-groups', summary: 'Save a group, or make a new one' },
  )
    .errors(errorsOf(RECEIPT_REFUSALS))
    .input(
      z.object({
        id: id.nullable().default(null),
        revision: id.nullable().default(null),
        ...{ name: lineText.max(500), section, tags: lineText.max(500), remarks: text },
        items: z.array(Item.extend({ label: lineText.max(500), text })).max(60),
      }),
    )
    .output(z.object({ id: z.number() })),
  removeGroup: op(
    { permission: 'receipts.edit', log: '删除小票信息分组', stale: ['receipts.groups'] },
    {
      method: 'DELETE',
      path: '/receipt-groups/{id}',
      summary: 'Delete a group; templates keep what they took of it',
    },
  )
    .input(z.object({ id }))
    .output(z.object({ id: z.number() })),
  /** What is printed of uploaded logos: a bit a dot, 1 is black, rows of whole bytes. */
  logos: op(
    { permission: 'receipts.list', detached: true },
    { method: 'GET', path: '/receipt-logos', summary: 'Logos of receipts as printers draw them' },
  )
    .input(z.object({ ids: z.string().regex(LOGO_IDS) }))
    .output(
      z.object({
        rows: z.array(
          z.object({ id: z.string(), width: z.number(), height: z.number(), base64: z.string() }),
        ),
      }),
    ),
  /** As it stands on the page, with sample data: for printers that take documents. */
  paper: op(
    { permission: 'receipts.list', ephemeral: true, detached: true, bodyMost: 320 * 1_024 },
    { method: 'POST', path: '/receipt-templates/paper', summary: 'A receipt with sample data as a PDF' },
  )
    .input(
      z.object({
        content: ReceiptSchema,
        type: z.enum(RECEIPT_TYPE_KEYS as [ReceiptType, ...ReceiptType[]]),
        length: z.enum(['typical', 'longest']).default('typical'),
        paper: z.union([z.literal(58), z.literal(76), z.literal(80), z.literal(110), z.literal(210)]),
        isReprint: z.boolean().default(false),
        calibration: CalibrationShape.default(UNCALIBRATED),
      }),
    )
    .output(z.object({ base64: z.string() })),
}
