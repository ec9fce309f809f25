// The pages of this feature by path.
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { TRAIN_SHOPS, TRAINS } from './fields.ts'

const LIST = '/admin/schedule/releaseTrains'

export const PAGES = [
  {
    path: LIST,
    title: '小程序分批发布',
    words: ['批量发布', '小程序升级', '灰度发布', '模板升级'],
    permission: 'releaseTrains.list',
    file: 'features/programs/release-trains/TrainsPage.tsx',
    group: '支付与小程序',
    entry: '小程序',
    order: 13,
    list: '/api/release-trains',
    search: asks<ListParams<typeof TRAINS>>(),
  },
  {
    path: '/admin/schedule/newReleaseTrain',
    title: '新建分批发布',
    words: ['批量发布小程序'],
    permission: 'releaseTrains.run',
    file: 'features/programs/release-trains/NewTrainPage.tsx',
    group: '支付与小程序',
    under: LIST,
  },
  {
    path: '/admin/schedule/releaseTrain',
    title: '分批发布进度',
    permission: 'releaseTrains.list',
    file: 'features/programs/release-trains/TrainPage.tsx',
    group: '支付与小程序',
    under: LIST,
    search: asks<{ id?: number }>(),
  },
  {
    path: '/admin/schedule/releaseTrainShops',
    title: '分批发布详情',
    permission: 'releaseTrains.list',
    file: 'features/programs/release-trains/TrainShopsPage.tsx',
    group: '支付与小程序',
    under: LIST,
    search: asks<ListParams<typeof TRAIN_SHOPS> & { id?: number; wave?: number }>(),
  },
] as const satisfies readonly RoutePage[]
