import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatInstant } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { look } from '#web/look.ts'
import { ConfirmBar } from './ConfirmBar.tsx'
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
    queryKey: ['aftersales', 'extend', search],
    queryFn: () => toolsApi.extendFind({ search }),
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
  const [text, setText] = useState('')
  const [broken, setBroken] = useState<string | null>(null)
  const days = /^\d{1,4}$/.test(text.trim()) ? Number(text.trim()) : null
  const given = refuseDays(days) === null ? days : null
  const now = new Date().toISOString()
  const { expiresAt } = shop
  const after = expiresAt !== null && given !== null ? extendedExpiry(expiresAt, given, now) : null
  const isPast = expiresAt !== null && new Date(expiresAt).getTime() < Date.now()
  const check = () => {
    const code = refuseDays(days)
    setBroken(code && TOOL_REFUSALS[code])
    if (code) document.getElementById('extend-days')?.focus()
    return code === null
  }
  const take = (value: string) => {
    setText(value)
    setBroken(null)
  }
  return (
    <ConfirmBar
      submitText="延期"
      refusal={refuseExtended(shop)}
      check={check}
      question={() => ({
        title: `为「${shop.shopName}」延期 ${days} 天？`,
        text: `商户 ID ${shop.id}，到期时间变为 ${after === null ? '' : formatInstant(after)}。`,
        confirmText: '确认延期',
      })}
      send={reason => toolsApi.extend({ id: shop.id, revision: shop.revision, days: days ?? 0, reason })}
      doneText="延期成功"
    >
      <div className={styles.toolField}>
        <label htmlFor="extend-days">延期天数</label>
        <div className={styles.toolDays}>
          <input
            id="extend-days"
            className={look.input}
            type="text"
            inputMode="numeric"
            maxLength={4}
            autoComplete="off"
            placeholder={`${LIMITS.daysMin} 至 ${LIMITS.daysMax}`}
            aria-required="true"
            aria-invalid={broken !== null}
            aria-describedby="extend-days-note"
            value={text}
            onChange={event => take(event.target.value)}
          />
          {OFFERED_DAYS.map(offered => (
            <Button key={offered} aria-pressed={days === offered} onClick={() => take(String(offered))}>
              {offered} 天
            </Button>
          ))}
        </div>
        <p id="extend-days-note" className={styles.toolMessage} role="alert">
          {broken}
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
