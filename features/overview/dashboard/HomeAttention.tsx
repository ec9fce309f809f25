import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOverduePreview } from '#features/care/renewals/useOverduePreview.tsx'
import type { merchants } from '#features/shops/merchants/contract.ts'
import { formatCount } from '#kit/money.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { Button } from '#web/controls/Button.tsx'
import { Link } from '#web/controls/Link.tsx'
import { Figure } from '#web/facts/Figure.tsx'

const merchantsApi = api<typeof merchants>('merchants')

const SOON_DAYS = 30

export function Expiring() {
  const expiresFrom = formatDay(new Date())
  const expiresTo = addDays(expiresFrom, SOON_DAYS - 1)
  const soon = useQuery({
    ...merchantsApi.list.query({ expiresFrom, expiresTo }),
  })
  return (
    <Attention
      label={`${SOON_DAYS} 天内到期（家）`}
      query={soon}
      tone="attention"
      link={
        <Link to="/admin/merchant/myMerchant" search={{ expiresFrom, expiresTo }}>
          查看商户
        </Link>
      }
    />
  )
}

export function Overdue() {
  return (
    <Attention
      label="已过期（家）"
      query={useOverduePreview(true)}
      tone="problem"
      link={<Link to="/admin/merchant/overdueMerchants">查看过期商户</Link>}
    />
  )
}

type AttentionProps = {
  label: string
  query: {
    data: { total: number; totalCapped: boolean } | undefined
    isError: boolean
    refetch: () => unknown
  }
  /** Colours a number above zero. */
  tone: 'attention' | 'problem'
  link: ReactNode
}

function Attention({ label, query: { data, isError, refetch }, tone, link }: AttentionProps) {
  return (
    <Figure
      label={label}
      value={data ? `${formatCount(data.total)}${data.totalCapped ? '+' : ''}` : '—'}
      tone={data && data.total > 0 ? tone : undefined}
    >
      <dd>
        {isError && !data ? (
          <Button kind="link" onClick={() => void refetch()}>
            没有加载出来，重试
          </Button>
        ) : (
          link
        )}
      </dd>
    </Figure>
  )
}
