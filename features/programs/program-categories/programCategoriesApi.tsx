import { api } from '#web/client/api.ts'
import type { programCategories } from './contract.ts'

export const categoriesApi = api<typeof programCategories>('programCategories')
