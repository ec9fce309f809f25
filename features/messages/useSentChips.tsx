import { useFiltersInWords } from '#features/services/orderActions.tsx'
import type { ActiveFilter } from '#web/list/ListPage.tsx'
import { type ListParams, useListParams } from '#web/list/useListParams.ts'
import { MESSAGE_KINDS, MESSAGE_STATUSES, type MessageKind, type MessageStatus } from './rules.ts'

export type SentParams = ListParams & {
  status?: MessageStatus
  kind?: MessageKind
  from?: string
  to?: string
  agentId?: number
  errorCode?: string
}

/** What is filtered of messages, in words. */
export function useSentChips(): ActiveFilter[] {
  const [params, setParams] = useListParams<SentParams>()
  const { status, kind, errorCode } = params
  const words = useFiltersInWords(params, () => setParams({ from: undefined, to: undefined }))
  const chips: ActiveFilter[] = []
  if (status) chips.push({ key: 'status', label: '状态', text: MESSAGE_STATUSES[status] ?? status })
  if (kind) chips.push({ key: 'kind', label: '类型', text: MESSAGE_KINDS[kind] ?? kind })
  if (errorCode !== undefined)
    chips.push({ key: 'errorCode', label: '错误码', text: String(errorCode) || '无' })
  return [...chips, ...words.days, ...words.agent]
}
