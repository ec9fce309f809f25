import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { merchants } from '#features/merchants/contract.ts'
import { api } from '#web/api.ts'
import { Field } from '#web/form/Field.tsx'
import { Select } from '#web/form/Select.tsx'
import type { Form } from '#web/form/useForm.ts'
import type { OrderForm } from './rules.ts'

const merchantsApi = api<typeof merchants>('merchants')
const WAIT_MS = 250

/** The shop that it is about, found by number, account or name; it may be about none. */
export function ShopChoice({ form }: { form: Form<OrderForm> }) {
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const { merchantId } = form.draft
  const wanted = search === '' && merchantId !== null ? String(merchantId) : search
  const found = useQuery({
    ...merchantsApi.find.query({ search: wanted || '0' }),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  })
  const rows = wanted === '' ? [] : (found.data?.rows ?? [])
  return (
    <Field form={form} name="merchantId" label="相关店铺" hint="与某家店铺有关时选择">
      {control => (
        <Select
          {...control}
          what="店铺"
          value={merchantId ?? undefined}
          options={rows.map(({ id, shopName }) => ({ value: id, label: `${shopName}（${id}）` }))}
          onChange={chosen => form.change({ merchantId: chosen ?? null })}
          onSearch={setTyped}
          loading={found.isFetching}
          notFound={
            wanted === '' ? '输入店铺名称、账号或商户ID' : found.isFetching ? '加载中' : '没有匹配的店铺'
          }
          allowClear
          placeholder="店铺名称 / 账号 / 商户ID"
        />
      )}
    </Field>
  )
}
