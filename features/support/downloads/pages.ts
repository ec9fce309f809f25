// The pages of this feature by path (D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { DOWNLOADS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/help/downloads',
    title: '下载中心',
    words: ['软件', '安装包', '手册', '资料', '客户端'],
    permission: 'session',
    file: 'features/support/downloads/DownloadsPage.tsx',
    group: '帮助与反馈',
    order: 11,
    early: [{ address: '/api/downloads', permission: 'session' }],
  },
  {
    path: '/admin/help/files',
    title: '下载管理',
    words: ['软件', '安装包', '上传'],
    permission: 'downloads.manage',
    file: 'features/support/downloads/FilesPage.tsx',
    group: '帮助与反馈',
    order: 21,
    list: '/api/downloads/files',
    search: asks<ListParams<typeof DOWNLOADS>>(),
  },
] as const satisfies readonly RoutePage[]
