import { api } from '#web/client/api.ts'
import type { referenceData } from './contract.ts'

export const referenceApi = api<typeof referenceData>('referenceData')
