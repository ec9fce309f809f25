import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import { useEffect, useState } from 'react'
import { api } from '#web/api.ts'
import type { agents } from './contract.ts'

const agentsApi = api<typeof agents>('agents')
const WAIT_MS = 250

type Props = {
  value: number | undefined
  onChange: (agentId: number | undefined) => void
  /** What is read where none is chosen. */
  placeholder?: string
}

/** One agent, found by number or name; the server answers with at most 20. */
export function AgentPicker({ value, onChange, placeholder = '全部' }: Props) {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const wanted = search === '' && value !== undefined ? String(value) : search
  const found = useQuery({
    queryKey: ['agents', 'options', wanted],
    queryFn: () => agentsApi.options(wanted === '' ? {} : { search: wanted }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      aria-label="代理商"
      value={found.data ? value : undefined}
      onChange={chosen => onChange(chosen)}
      options={found.data?.rows.map(row => ({ value: row.id, label: `${row.companyName}（${row.id}）` }))}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={found.isFetching}
      notFoundContent={found.isFetching ? '加载中' : '没有匹配的代理商'}
      allowClear
      placeholder={placeholder}
    />
  )
}
