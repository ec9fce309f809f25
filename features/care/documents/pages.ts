import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { DOCUMENTS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/merchant/documents',
    title: '证件资料',
    words: ['证件到期', '身份证', '营业执照', '许可证', '销毁证明'],
    permission: 'documents.list',
    file: 'features/care/documents/DocumentsPage.tsx',
    group: '商户管理',
    entry: '店铺资料',
    order: 23,
    list: '/api/documents',
    search: asks<ListParams<typeof DOCUMENTS> & { user_id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
