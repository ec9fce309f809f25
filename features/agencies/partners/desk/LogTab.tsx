import { useQuery } from '@tanstack/react-query'
import type { operationLog } from '#features/overview/operation-log/contract.ts'
import type { Out } from '#kit/declare/op.ts'
import { target } from '#kit/declare/pages.ts'
import { formatCount } from '#kit/money.ts'
import { api } from '#web/client/api.ts'
import { Instant } from '#web/controls/format.tsx'
import { type Line, Lines } from './Lines.tsx'
import { SHOWN } from './rules.ts'

const logApi = api<typeof operationLog>('operationLog')

type Row = Out<typeof operationLog.list>['rows'][number]

/** What was done with a partner, and what its own people did. */
export default function LogTab({ id }: { id: number }) {
  const about = useQuery(logApi.history.query({ kind: 'agent', id: String(id) }))
  const own = useQuery(logApi.list.query({ agentId: id, page: 1, size: SHOWN }))
  return (
    <>
      <Lines
        label="对该合作伙伴的操作"
        query={about}
        empty="还没有操作记录"
        lines={about.data?.rows.slice(0, SHOWN).map(lineOf)}
      />
      <Lines
        label="其人员的操作"
        query={own}
        {...(own.data && {
          whole: {
            ...target('/admin/account/operationLog', { agentId: id }),
            text: `全部 ${formatCount(own.data.total)}${own.data.totalCapped ? '+' : ''}`,
          },
        })}
        empty="还没有操作记录"
        lines={own.data?.rows.map(lineOf)}
      />
    </>
  )
}

function lineOf(row: Row): Line {
  return {
    key: row.id,
    title: `${row.title}${row.outcome === 'refused' ? '（未成功）' : ''}`,
    note: row.summary || row.subject,
    value: row.accountName,
    aside: <Instant at={row.createdAt} />,
  }
}
