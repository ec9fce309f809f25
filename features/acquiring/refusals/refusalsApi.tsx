import type { Out } from '#kit/declare/op.ts'
import { api } from '#web/client/api.ts'
import type { refusals } from './contract.ts'

export const refusalsApi = api<typeof refusals>('refusals')

export type Cause = Out<typeof refusals.details>
