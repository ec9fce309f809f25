import type { Out } from '#kit/op.ts'
import { api } from '#web/api.ts'
import type { workOrders } from './contract.ts'

export const workOrdersApi = api<typeof workOrders>('workOrders')

export type WorkOrderRow = Out<typeof workOrders.list>['rows'][number]
export type WorkOrderDetails = Out<typeof workOrders.details>
export type ShownOrder = WorkOrderDetails['order']
