import { api } from '#web/client/api.ts'
import type { personErasures } from './contract.ts'

export const erasuresApi = api<typeof personErasures>('personErasures')
