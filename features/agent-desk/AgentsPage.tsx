import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { paymentSettings } from '#features/payment-settings/contract.ts'
import { REFUSALS } from '#features/view-as/rules.ts'
import { startView } from '#features/view-as/viewing.tsx'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import { discountText } from '#web/format.tsx'
import { List } from '#web/list/List.tsx'
import { reread } from '#web/reread.ts'
import { StatusTag } from '#web/StatusTag.tsx'
import { usePermission, useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { agentDesk } from './contract.ts'
import { AGENTS } from './fields.ts'

const paymentSettingsApi = api<typeof paymentSettings>('paymentSettings')
const agentDeskApi = api<typeof agentDesk>('agentDesk')
const OwnerDialog = lazy(() => import('./OwnerDialog.tsx'))
const CreditDialog = lazy(() => import('#features/ledger/CreditDialog.tsx'))

type Row = Out<typeof agentDesk.list>['rows'][number]

/** The vendor's view of its agents: level, discount, balances; prepaid tokens enter here. */
export default function AgentsPage() {
  const mayCredit = usePermission('ledger.credit')
  const mayView = usePermission('viewAs.agent')
  const { agentId } = useSession()
  const refusalOfView = ({ id, enabled }: Row) => {
    if (id === agentId) return REFUSALS.VIEW_SELF
    return enabled ? undefined : REFUSALS.VIEW_DISABLED
  }
  const maySecure = usePermission('agentDesk.secure')
  const mayAllow = usePermission('paymentSettings.allow')
  const allow = useMutation({
    mutationFn: ({ id, payEnabled }: Row) => paymentSettingsApi.allow({ id, enabled: !payEnabled }),
    onSuccess: (_answer, row) =>
      toast.success(`已${row.payEnabled ? '关闭' : '开通'}在线收款：${row.companyName}`),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const [credited, setCredited] = useState<Row | null>(null)
  const [secured, setSecured] = useState<Row | null>(null)
  return (
    <>
      <List
        of={AGENTS}
        from={agentDeskApi.list}
        cells={CELLS}
        actionsWidth={mayCredit && mayView ? 128 : 80}
        rowActions={
          mayCredit || mayView || maySecure || mayAllow
            ? row => [
                ...(mayCredit ? [{ key: 'credit', label: '充值', onClick: () => setCredited(row) }] : []),
                ...(mayView
                  ? [
                      {
                        key: 'view',
                        label: '查看',
                        disabled: refusalOfView(row),
                        onClick: () => void startView('agent', { id: row.id, name: row.companyName }),
                      },
                    ]
                  : []),
                ...(maySecure ? [{ key: 'secure', label: '安全', onClick: () => setSecured(row) }] : []),
                ...(mayAllow
                  ? [
                      {
                        key: 'pay',
                        label: row.payEnabled ? '关收款' : '开收款',
                        onClick: () => allow.mutate(row),
                      },
                    ]
                  : []),
              ]
            : undefined
        }
      />
      {secured && (
        <Suspense>
          <OwnerDialog agent={secured} onClose={() => setSecured(null)} />
        </Suspense>
      )}
      {credited && (
        <Suspense>
          <CreditDialog agent={credited} onClose={() => setCredited(null)} />
        </Suspense>
      )}
    </>
  )
}

const CELLS = {
  discountBasisPoints: {
    copy: (row: Row) => discountText(row.discountBasisPoints),
    render: (row: Row) => discountText(row.discountBasisPoints),
  },
  enabled: (row: Row) =>
    row.enabled ? <StatusTag tone="done">正常</StatusTag> : <StatusTag tone="problem">停用</StatusTag>,
  payEnabled: {
    copy: (row: Row) => (row.payEnabled ? '已开通' : '未开通'),
    render: (row: Row) => (row.payEnabled ? '已开通' : '未开通'),
  },
}
