import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { workOrders } from './contract.ts'

export const workOrdersApi = api<typeof workOrders>('workOrders')

export type WorkOrderRow = Out<typeof workOrders.list>['rows'][number]
export type WorkOrderDetails = Out<typeof workOrders.details>
export type ShownOrder = WorkOrderDetails['order']
