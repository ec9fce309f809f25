// The pages of this feature by path (D2 §2 21, 23; D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type PublicPage, type RoutePage } from '#kit/declare/pages.ts'
import type { FLOWS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/schedule/AppletFlow',
    title: '小程序进度',
    words: ['小程序', '创建小程序', '授权小程序', '人脸核身'],
    permission: 'programFlow.list',
    file: 'features/programs/program-flow/FlowsPage.tsx',
    group: '支付与小程序',
    entry: '小程序',
    order: 12,
    list: '/api/program-flow',
    /** `until`, `key` and `auth_code`: what an owner's authorisation brings back. */
    search: asks<
      ListParams<typeof FLOWS> & { id?: number; until?: number; key?: string; auth_code?: string }
    >(),
  },
  {
    path: '/admin/schedule/determineApplet',
    title: '提交创建小程序',
    words: ['注册小程序', '立即创建'],
    permission: 'programFlow.edit',
    file: 'features/programs/program-flow/CreatePage.tsx',
    group: '支付与小程序',
    under: '/admin/schedule/AppletFlow',
    search: asks<{ sv_wxapp_application_id?: number }>(),
  },
] as const satisfies readonly RoutePage[]

/** Opened by anybody who knows an address. */
export const PUBLIC_PAGES = [
  { prefix: '/m/', title: '授权小程序', file: 'features/programs/program-flow/OwnerAuthorizePage.tsx' },
] as const satisfies readonly PublicPage[]
