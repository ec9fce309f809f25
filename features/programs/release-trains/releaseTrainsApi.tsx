import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { releaseTrains } from './contract.ts'

export const releaseTrainsApi = api<typeof releaseTrains>('releaseTrains')

export type TrainRow = Out<typeof releaseTrains.list>['rows'][number]
export type TrainData = Out<typeof releaseTrains.details>
export type TrainShopRow = Out<typeof releaseTrains.shops>['rows'][number]
export type GroupData = TrainData['groups'][number]
