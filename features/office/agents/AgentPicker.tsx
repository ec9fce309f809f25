import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#web/client/api.ts'
import { useTypedSearch } from '#web/form/choices/useTypedSearch.ts'
import { Select } from '#web/form/Select.tsx'
import type { agents } from './contract.ts'

const agentsApi = api<typeof agents>('agents')
/** A company's name with its number, which a filter's field is too narrow for. */
const POPUP_WIDTH = 300

type Props = {
  /** Of the field whose label names it. */
  id?: string
  value: number | undefined
  onChange: (agentId: number | undefined) => void
  /** What is read where none is chosen. */
  placeholder?: string
}

/** One agent, found by number or name. */
export function AgentPicker(props: Props) {
  return <AgentChoice {...props} what="代理商" queryKey={['agents', 'options']} find={agentsApi.options} />
}

type ChoiceProps = Props & {
  /** Who can be chosen, in a word; also its name where no label stands beside it. */
  what: string
  /** The id of the label beside it. */
  labelledBy?: string
  queryKey: readonly string[]
  /** At most 20 of those that may be chosen. */
  find: (input: { search?: string }) => Promise<{ rows: { id: number; companyName: string }[] }>
}

/** One of the agents that `find` answers with, found by number or name. */
export function AgentChoice({
  id,
  value,
  onChange,
  placeholder = '全部',
  what,
  labelledBy,
  queryKey,
  find,
}: ChoiceProps) {
  const [search, type] = useTypedSearch()
  const wanted = search === '' && value !== undefined ? String(value) : search
  const found = useQuery({
    queryKey: [...queryKey, wanted],
    queryFn: () => find(wanted === '' ? {} : { search: wanted }),
    placeholderData: keepPreviousData,
  })
  return (
    <Select
      id={id}
      aria-label={labelledBy || id ? undefined : what}
      aria-labelledby={labelledBy}
      what={what}
      value={value}
      onChange={onChange}
      options={found.data?.rows.map(row => ({ value: row.id, label: `${row.companyName}（${row.id}）` }))}
      onSearch={type}
      loading={found.isFetching}
      notFound={found.isFetching ? '加载中' : `没有匹配的${what}`}
      listWidth={POPUP_WIDTH}
      allowClear
      placeholder={placeholder}
    />
  )
}
