import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { useMore } from '#web/facts/useMore.tsx'
import type { partnerDesk } from './contract.ts'
import { Lines } from './Lines.tsx'

const deskApi = api<typeof partnerDesk>('partnerDesk')

/** Who works at a partner: the owner, and those whom it has given a role. */
export default function PeopleTab({ id }: { id: number }) {
  const { query, rows, more } = useMore(
    ['partnerDesk', 'people', id],
    after => deskApi.people({ id, ...(after === undefined ? {} : { after }) }),
    '更多人员',
  )
  return (
    <Lines
      label="人员"
      query={query}
      empty="还没有人员"
      lines={rows?.map(person => ({
        key: person.id,
        title: (
          <>
            {person.name} {person.isOwner && <StatusTag tone="neutral">负责人</StatusTag>}{' '}
            {!person.enabled && <StatusTag tone="problem">不能登录</StatusTag>}
          </>
        ),
        note: (
          <>
            {person.loginName} · <PhoneNumber number={person.mobile} />
            {person.roleName && ` · ${person.roleName}`} · {person.hasFactor ? '已设' : '未设'}二次验证
          </>
        ),
        value: person.devices === 0 ? '未登录' : `登录 ${formatCount(person.devices)} 个设备`,
        aside: (
          <>
            最近 <Instant at={person.lastLoginAt} none="从未登录" />
          </>
        ),
      }))}
      more={more}
    />
  )
}
