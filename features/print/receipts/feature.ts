import { sql } from 'drizzle-orm'
import { permissionNodes } from '#kit/declare/permission.ts'
import {
  catalogueItem,
  LOGO_DOTS,
  type ReceiptItem,
  SECTION_KEYS,
  SECTIONS,
  type Section,
} from '#kit/print/receipt.ts'
import type { Feature } from '#server/feature.ts'
import type { FileRow } from '#server/office/reference-tables.ts'
import { receipts as contract, ItemsSchema } from './contract.ts'
import {
  brokenIn,
  completed,
  type GroupForm,
  RECEIPT_LOGO,
  RECEIPT_LOGO_KB,
  RECEIPT_REFUSALS,
} from './rules.ts'
import { receiptsRouter as router } from './server.ts'
import { receiptGroups } from './tables.ts'

/** What a group shows, for who reads a rehearsal. */
const shownNames = (items: readonly ReceiptItem[]) =>
  items
    .filter(({ checked }) => checked)
    .map(({ id, label }) => label || catalogueItem(id)?.name || String(id))
    .join('、')

/** What its form would refuse, and whatever is no item of its section. */
function flawOfGroup({ name, section, tags, remarks, items }: FileRow): string | null {
  const read = ItemsSchema.safeParse(items)
  if (!read.success) return '分组内容（items）的内容不对'
  const form = { name, section, tags, remarks, items: read.data } as GroupForm
  const [broken] = brokenIn(form)
  if (broken) return RECEIPT_REFUSALS[broken.code]
  // One of an earlier edition may lack items that came since.
  const fit = completed(form.section, form.items).filter(
    ({ id, required }) => required || form.items.some(item => item.id === id),
  )
  return JSON.stringify(fit) === JSON.stringify(form.items) ? null : '分组内容与板块类型不符，或缺少必显内容'
}

export const feature = {
  contract,
  router,
  permissions: permissionNodes([
    [900, 6, 130, 'receipts.list', '小票模板', '/admin/template/ticketGroup', '888'],
    [901, 900, 1, 'receipts.edit', '编辑小票模板和分组', '/admin/template/ticketGroup#edit', '888'],
    [902, 900, 2, 'receipts.publish', '发布小票模板', '/admin/template/ticketGroup#publish', '888'],
  ]),
  configured: [
    {
      key: 'receipt-groups',
      title: '小票信息分组',
      table: receiptGroups,
      id: receiptGroups.id,
      named: 'name',
      labels: { section: '板块类型', tags: '分组标签', remarks: '备注', items: '分组内容' },
      textOf: (column, value) => {
        if (column === 'section') return SECTIONS[value as Section] ?? null
        return column === 'items' ? shownNames(value as ReceiptItem[]) : null
      },
      leaves: { updatedByName: '导入', updatedAt: sql`now()`, revision: 1 },
      touches: { revision: sql`revision + 1`, updatedByName: '导入', updatedAt: sql`now()` },
      words: { section: SECTION_KEYS },
      flawOf: flawOfGroup,
      // Templates keep what they took of a group: nothing names it.
      uses: [],
      left: '小票模板和标签模板不随文件带出',
    },
  ],
  settings: [RECEIPT_LOGO_KB],
  files: {
    [RECEIPT_LOGO]: {
      permission: 'receipts.edit',
      log: '上传小票LOGO',
      shared: true,
      // It is printed for everybody, by programs of shops.
      public: true,
      most: RECEIPT_LOGO_KB,
      side: 2 * LOGO_DOTS.width,
      usedBy: [{ table: 'print_template_pictures', column: 'file_id' }],
    },
  },
} satisfies Feature
