// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { RECEIPT_TEMPLATES } from './fields.ts'

const LIST_PATH = '/admin/template/ticketGroup'

export const PAGES = [
  {
    path: LIST_PATH,
    title: '小票模板',
    words: ['小票', '打印', '票据', '信息分组'],
    permission: 'receipts.list',
    file: 'features/print/receipts/TicketGroupPage.tsx',
    group: '价格与资料',
    entry: '标签与小票',
    order: 62,
    list: '/api/receipt-templates',
    search: asks<ListParams<typeof RECEIPT_TEMPLATES> & { tab?: 'groups' }>(),
  },
  {
    path: '/admin/template/createGroup',
    title: '小票信息分组',
    permission: 'receipts.list',
    file: 'features/print/receipts/GroupFormPage.tsx',
    under: LIST_PATH,
    search: asks<{ id?: number }>(),
  },
  {
    path: '/admin/template/editTicketStyle',
    title: '编辑小票',
    permission: 'receipts.list',
    file: 'features/print/receipts/EditReceiptPage.tsx',
    under: LIST_PATH,
    search: asks<{ id?: number }>(),
  },
  {
    path: '/admin/template/ticketPrinting',
    title: '小票打印设计',
    words: ['小票', '打印', '测试打印', '纸宽'],
    permission: 'receipts.list',
    file: 'features/print/receipts/TicketPrintingPage.tsx',
    under: LIST_PATH,
    group: '价格与资料',
    order: 63,
    search: asks<{ id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
