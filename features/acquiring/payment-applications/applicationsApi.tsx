import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { paymentApplications } from './contract.ts'

export const applicationsApi = api<typeof paymentApplications>('paymentApplications')

export type ApplicationData = Out<typeof paymentApplications.ofShop>
export type ApplicationRow = Out<typeof paymentApplications.list>['rows'][number]
