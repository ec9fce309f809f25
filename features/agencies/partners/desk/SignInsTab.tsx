import { OUTCOMES, type Outcome } from '#features/agencies/sign-in/rules.ts'
import { api } from '#web/client/api.ts'
import { Instant } from '#web/controls/format.tsx'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { useMore } from '#web/facts/useMore.tsx'
import type { partnerDesk } from './contract.ts'
import { Lines } from './Lines.tsx'

const deskApi = api<typeof partnerDesk>('partnerDesk')

const TONES: Partial<Record<Outcome, Tone>> = {
  done: 'done',
  password: 'problem',
  factor: 'problem',
  disabled: 'problem',
}

/** Who came to the door of a partner's accounts, and what came of it. */
export default function SignInsTab({ id }: { id: number }) {
  const { query, rows, more } = useMore(
    ['partnerDesk', 'signIns', id],
    before => deskApi.signIns({ id, ...(before === undefined ? {} : { before }) }),
    '更早的记录',
  )
  return (
    <Lines
      label="登录记录"
      query={query}
      empty="还没有登录记录，只保留最近 180 天"
      lines={rows?.map(row => ({
        key: row.id,
        title: `${row.name}（${row.loginName}）`,
        note: `${row.device} · ${row.place} ${row.ip}`,
        value: <StatusTag tone={TONES[row.outcome] ?? 'neutral'}>{OUTCOMES[row.outcome]}</StatusTag>,
        aside: <Instant at={row.createdAt} />,
      }))}
      more={more}
    />
  )
}
