// The pages of this feature by path (D2 §2 16, 17, 22; D3 §2).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { APPLICATIONS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/schedule/appApplication',
    title: '小程序申请',
    words: ['小程序', '注册小程序', '微信小程序', '小程序审核'],
    permission: 'programApplications.list',
    file: 'features/programs/program-applications/ApplicationsPage.tsx',
    group: '支付与小程序',
    entry: '小程序',
    order: 11,
    list: '/api/program-applications',
    search: asks<ListParams<typeof APPLICATIONS> & { id?: number }>(),
  },
  {
    path: '/admin/schedule/creationApplet',
    title: '创建小程序',
    words: ['小程序资料', '注册小程序', '类目'],
    permission: 'programApplications.edit',
    file: 'features/programs/program-applications/RegistrationPage.tsx',
    group: '支付与小程序',
    under: '/admin/schedule/appApplication',
    search: asks<{ user_id?: number }>(),
  },
  {
    path: '/admin/schedule/UpdateApplet',
    title: '已有小程序',
    words: ['授权小程序', '绑定小程序'],
    permission: 'programApplications.edit',
    file: 'features/programs/program-applications/AddExistingPage.tsx',
    group: '支付与小程序',
    under: '/admin/schedule/appApplication',
    search: asks<{ user_id?: number }>(),
  },
  {
    path: '/admin/schedule/existingApplet',
    title: '修改小程序类别',
    permission: 'programApplications.edit',
    file: 'features/programs/program-applications/ExistingPage.tsx',
    group: '支付与小程序',
    under: '/admin/schedule/appApplication',
    search: asks<{ sv_wxapp_application_id?: number }>(),
  },
] as const satisfies readonly RoutePage[]
