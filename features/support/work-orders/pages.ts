// The pages of this feature by path (D3 §2, §7).
import type { ListParams } from '#kit/declare/list.ts'
import { asks, type RoutePage } from '#kit/declare/pages.ts'
import type { ALL_WORK_ORDERS, WORK_ORDERS } from './fields.ts'

export const PAGES = [
  {
    path: '/admin/help/workOrder',
    title: '我的工单',
    words: ['报修', '求助', '工单'],
    permission: 'workOrders.list',
    file: 'features/support/work-orders/WorkOrdersPage.tsx',
    forPartners: true,
    group: '帮助与反馈',
    order: 3,
    list: '/api/work-orders',
    search: asks<ListParams<typeof WORK_ORDERS> & { workOrder?: number }>(),
  },
  {
    path: '/admin/help/workOrderList',
    title: '工单处理',
    words: ['报修', '受理', '逾期', '工单'],
    permission: 'workOrders.all',
    file: 'features/support/work-orders/AllWorkOrdersPage.tsx',
    group: '帮助与反馈',
    order: 4,
    list: '/api/work-orders/all',
    search: asks<ListParams<typeof ALL_WORK_ORDERS> & { workOrder?: number }>(),
  },
] as const satisfies readonly RoutePage[]
