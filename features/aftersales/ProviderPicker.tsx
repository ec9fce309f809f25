import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { api } from '#web/api.ts'
import type { aftersales } from './contract.ts'

const toolsApi = api<typeof aftersales>('aftersales')
const WAIT_MS = 250

type Props = { value: number | undefined; onChange: (agentId: number | undefined) => void }

/** An agent that a shop can go to, found by number or name; the server answers with at most 20. */
export function ProviderPicker({ value, onChange }: Props) {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const wanted = search === '' && value !== undefined ? String(value) : search
  const found = useQuery({
    queryKey: ['aftersales', 'providers', wanted],
    queryFn: () => toolsApi.providers(wanted === '' ? {} : { search: wanted }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      aria-labelledby="move-agent-label"
      value={found.data ? value : undefined}
      onChange={chosen => onChange(chosen)}
      options={found.data?.rows.map(row => ({ value: row.id, label: `${row.companyName}（${row.id}）` }))}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? '加载中' : '没有匹配的服务商'}
      allowClear
      placeholder="请选择新服务商"
    />
  )
}
