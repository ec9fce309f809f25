// The pages of this feature by path.
import type { RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/template/printers',
    title: '打印设置',
    words: ['打印机', '打印程序', '客户端', '配对', '校准', '打印记录'],
    permission: 'printing.desk',
    file: 'features/print/printing/PrintersPage.tsx',
    group: '价格与资料',
    entry: '标签与小票',
    order: 68,
  },
] as const satisfies readonly RoutePage[]
