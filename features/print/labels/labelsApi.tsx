import { useQuery } from '@tanstack/react-query'
import type { Out } from '#kit/declare/op.ts'
import type { Label } from '#kit/print/label.ts'
import { api } from '#web/client/api.ts'
import type { labels } from './contract.ts'

export const labelsApi = api<typeof labels>('labels')

export type LabelRow = Out<typeof labels.list>['rows'][number] & { content: Label }

/** Industries a template can be for; undefined while they are on their way. */
export function useIndustries() {
  return useQuery(labelsApi.industries.query()).data?.rows
}
