import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { api } from '#web/api.ts'
import type { merchants } from './contract.ts'

const merchantsApi = api<typeof merchants>('merchants')

type Props = { value: number | undefined; onChange: (agentId: number | undefined) => void }

/** One of the agents below the acting one, found by number or name; the server answers with at most 20. */
export function SubAgentPicker({ value, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const wanted = search === '' && value !== undefined ? String(value) : search
  const found = useQuery({
    queryKey: ['subAgents', 'options', wanted],
    queryFn: () => merchantsApi.secondaryAgents(wanted === '' ? {} : { search: wanted }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      aria-label="下级代理商"
      value={found.data ? value : undefined}
      onChange={chosen => onChange(chosen)}
      options={found.data?.rows.map(row => ({ value: row.id, label: `${row.companyName}（${row.id}）` }))}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? '加载中' : '没有匹配的下级代理商'}
      allowClear
      placeholder="全部"
    />
  )
}
