import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { api } from '#web/client/api.ts'
import { useTypedSearch } from '#web/form/choices/useTypedSearch.ts'
import { Select } from '#web/form/Select.tsx'

const merchantsApi = api<typeof merchants>('merchants')

type Props = Omit<
  ComponentProps<typeof Select<number>>,
  'value' | 'options' | 'onChange' | 'onSearch' | 'loading' | 'notFound' | 'placeholder' | 'what'
> & {
  value: number | null
  onChange: (shop: number | null) => void
}

/** One of the shops that one sees, found by number, account or name. */
export function ShopSelect({ value, onChange, ...rest }: Props) {
  const [search, type] = useTypedSearch()
  const wanted = search === '' && value !== null ? String(value) : search
  const found = useQuery({
    ...merchantsApi.find.query({ search: wanted || '0' }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  })
  const rows = wanted === '' ? [] : (found.data?.rows ?? [])
  return (
    <Select
      {...rest}
      what="店铺"
      value={value ?? undefined}
      options={rows.map(({ id, shopName }) => ({ value: id, label: `${shopName}（${id}）` }))}
      onChange={chosen => onChange(chosen ?? null)}
      onSearch={type}
      loading={found.isFetching}
      notFound={wanted === '' ? '输入店铺名称、账号或商户ID' : found.isFetching ? '加载中' : '没有匹配的店铺'}
      placeholder="店铺名称 / 账号 / 商户ID"
    />
  )
}
