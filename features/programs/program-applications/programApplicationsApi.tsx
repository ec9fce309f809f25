import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { programApplications } from './contract.ts'

export const programApplicationsApi = api<typeof programApplications>('programApplications')

export type ApplicationData = Out<typeof programApplications.ofShop>
export type ApplicationRow = Out<typeof programApplications.list>['rows'][number]
