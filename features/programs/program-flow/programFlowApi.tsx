import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { programFlow } from './contract.ts'

export const programFlowApi = api<typeof programFlow>('programFlow')

export type FlowData = Out<typeof programFlow.details>
export type FlowRow = Out<typeof programFlow.list>['rows'][number]
export type OwnerPageData = Out<typeof programFlow.ownerPage>
