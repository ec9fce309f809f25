// The pages of this feature by path (D3 §2, §7).
import type { RoutePage } from '#kit/pages.ts'

export const PAGES: readonly RoutePage[] = [
  {
    path: '/admin/help/workOrder',
    title: '我的工单',
    words: ['报修', '求助', '工单'],
    permission: 'workOrders.list',
    file: 'features/work-orders/WorkOrdersPage.tsx',
    forPartners: true,
    group: '帮助与反馈',
    order: 3,
    list: '/api/work-orders',
  },
  {
    path: '/admin/help/workOrderList',
    title: '工单处理',
    words: ['报修', '受理', '逾期', '工单'],
    permission: 'workOrders.all',
    file: 'features/work-orders/AllWorkOrdersPage.tsx',
    group: '帮助与反馈',
    order: 4,
    list: '/api/work-orders/all',
  },
]
