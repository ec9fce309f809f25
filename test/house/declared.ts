// The fields that the features declare, for the tests that compare them with tables, contracts and documents.
import { globSync } from 'node:fs'
import type { Fields } from '#kit/declare/fields.ts'
import type { List } from '#kit/declare/list.ts'
import { featureOf, ROOT } from './sources.ts'

type Declared = { feature: string; fields: Fields; list: List | null }

const isFields = (value: object): value is Fields =>
  Object.values(value).every(
    field => field && typeof field === 'object' && 'kind' in field && 'label' in field,
  )

function declaredBy(feature: string, value: unknown): Declared[] {
  if (!value || typeof value !== 'object' || Array.isArray(value)) return []
  if ('columns' in value) return [{ feature, fields: (value as List).fields, list: value as List }]
  return Object.keys(value).length > 0 && isFields(value) ? [{ feature, fields: value, list: null }] : []
}

export const DECLARED: Declared[] = []
for (const path of globSync('features/**/fields*.ts', { cwd: ROOT }).sort())
  for (const value of Object.values((await import(`#${path}`)) as Record<string, unknown>))
    DECLARED.push(...declaredBy(featureOf(path) as string, value))
