import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { SENDS } from '#web/form/FormElement.tsx'
import { ConfirmBar, useTool } from './ConfirmBar.tsx'
import type { aftersales } from './contract.ts'
import { RecentActions } from './RecentActions.tsx'
import { extendedExpiry, LIMITS, refuseDays, refuseExtended, TOOL_REFUSALS } from './rules.ts'
import { ChangeTable, Notes, type Shop, ShopSearch, ToolPage, useToolSearch } from './ToolPage.tsx'
import styles from './tools.module.css'

const toolsApi = api<typeof aftersales>('aftersales')
const OFFERED_DAYS = [7, 15, 30, 90]

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
  const afterOf = (text: string) => {
    const days = daysOf(text)
    return expiresAt === null || days === null || refuseDays(days)
      ? null
      : extendedExpiry(expiresAt, days, now)
  }
  const form = useTool({
    initial: { days: '' },
    judge: draft => {
      const code = refuseDays(daysOf(draft.days))
      return code && { field: 'days', message: TOOL_REFUSALS[code] }
    },
    question: draft => ({
      title: `为「${shop.shopName}」延期 ${daysOf(draft.days)} 天？`,
      text: `商户 ID ${shop.id}，到期时间变为 ${formatInstant(afterOf(draft.days) ?? now)}。`,
      confirmText: '确认延期',
    }),
    send: ({ days, reason }) =>
      toolsApi.extend({ id: shop.id, revision: shop.revision, days: daysOf(days) ?? 0, reason }),
    doneText: '延期成功',
  })
  const { days } = form.draft
  const after = afterOf(days)
  const id = form.idOf('days')
  return (
    <ConfirmBar form={form} submitText="延期" refusal={refuseExtended(shop)}>
      <div className={styles.toolField}>
        <label htmlFor={id}>延期天数</label>
        <div className={styles.toolDays}>
          <input
            {...SENDS}
            id={id}
            className={look.input}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            placeholder={`${LIMITS.daysMin} 至 ${LIMITS.daysMax}`}
            aria-required="true"
            aria-invalid={form.messageOf('days') !== null}
            aria-describedby={`${id}-note`}
            value={days}
            onChange={event => form.change({ days: event.target.value })}
          />
          {OFFERED_DAYS.map(offered => (
            <Button
              key={offered}
              aria-pressed={daysOf(days) === offered}
              onClick={() => form.change({ days: String(offered) })}
            >
              {offered} 天
            </Button>
          ))}
        </div>
        <p id={`${id}-note`} className={styles.toolMessage} role="alert">
          {form.messageOf('days')}
        </p>
      </div>
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

function daysOf(text: string): number | null {
  return /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : null
}
