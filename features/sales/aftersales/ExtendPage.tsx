import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { ConfirmBar, useTool } from './ConfirmBar.tsx'
import type { aftersales } from './contract.ts'
import { DaysField, expiryAfter } from './DaysField.tsx'
import { EXTENSION } from './fields.ts'
import { RecentActions } from './RecentActions.tsx'
import { refuseExtended } from './rules.ts'
import { ChangeTable, Notes, type Shop, ShopSearch, ToolPage, useToolSearch } from './ToolPage.tsx'

const toolsApi = api<typeof aftersales>('aftersales')

/** Account extension (D3 §2, §7): days that a shop gets for nothing. */
export default function ExtendPage() {
  const [search, setSearch] = useToolSearch()
  const found = useQuery({
    ...toolsApi.extendFind.query({ search }),
    enabled: search !== '',
  })
  return (
    <ToolPage title="账户延期" intro="为商户增加使用天数，不收费。永久版商户无需延期。">
      <ShopSearch value={search} onSearch={setSearch} query={found}>
        {shop => <ExtendForm shop={shop} />}
      </ShopSearch>
      <RecentActions of="extendActions" />
    </ToolPage>
  )
}

function ExtendForm({ shop }: { shop: Shop }) {
  const now = new Date().toISOString()
  const { expiresAt } = shop
  const isPast = expiresAt !== null && new Date(expiresAt).getTime() < Date.now()
  const afterOf = (days: number) => expiryAfter(shop, days, now)
  const form = useTool({
    of: EXTENSION,
    question: values => ({
      title: `为「${shop.shopName}」延期 ${values.days} 天？`,
      text: `商户 ID ${shop.id}，到期时间变为 ${formatInstant(afterOf(values.days) ?? now)}。`,
      confirmText: '确认延期',
    }),
    send: ({ days, reason }) => toolsApi.extend({ id: shop.id, revision: shop.revision, days, reason }),
    doneText: '延期成功',
  })
  const after = afterOf(form.meant().days)
  return (
    <ConfirmBar form={form} submitText="延期" refusal={refuseExtended(shop)}>
      <DaysField form={form} />
      {expiresAt !== null && (
        <ChangeTable
          title="延期预览"
          rows={[
            {
              name: '到期时间',
              before: formatInstant(expiresAt),
              after: after === null ? '—' : formatInstant(after),
            },
          ]}
        />
      )}
      {isPast && <Notes notes={['该商户已到期，天数从现在算起']} />}
    </ConfirmBar>
  )
}
