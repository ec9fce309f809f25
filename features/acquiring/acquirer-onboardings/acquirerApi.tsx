import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { acquirerOnboardings } from './contract.ts'

export const acquirerApi = api<typeof acquirerOnboardings>('acquirerOnboardings')

export type AcquirerData = Out<typeof acquirerOnboardings.details>
export type AcquirerRow = Out<typeof acquirerOnboardings.list>['rows'][number]
