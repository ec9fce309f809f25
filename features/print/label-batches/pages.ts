// The pages of this feature by path.
import type { RoutePage } from '#kit/declare/pages.ts'

export const PAGES = [
  {
    path: '/admin/template/batch',
    title: '批量打印标签',
    words: ['打印标签', '标签', '批量打印', '标签打印', '价签', 'A4', '不干胶', 'Excel', '表格', '份数'],
    permission: 'labelBatches.print',
    file: 'features/print/label-batches/BatchPage.tsx',
    group: '价格与资料',
    entry: '标签与小票',
    order: 67,
  },
] as const satisfies readonly RoutePage[]
