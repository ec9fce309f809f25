import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { acquiringProgress } from './contract.ts'

export const progressApi = api<typeof acquiringProgress>('acquiringProgress')

export type ProgressRow = Out<typeof acquiringProgress.list>['rows'][number]
