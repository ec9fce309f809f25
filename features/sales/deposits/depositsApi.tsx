import { api } from '#web/client/api.ts'
import type { deposits } from './contract.ts'

export const depositsApi = api<typeof deposits>('deposits')
