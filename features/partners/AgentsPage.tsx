import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { agentDesk } from '#features/agent-desk/contract.ts'
import { AGENTS } from '#features/agent-desk/fields.ts'
import { AGENT_OPTIONS } from '#features/agents/AgentOptions.tsx'
import type { paymentSettings } from '#features/payment-settings/contract.ts'
import { REFUSALS } from '#features/view-as/rules.ts'
import { startView } from '#features/view-as/viewing.tsx'
import type { Out } from '#kit/op.ts'
import { api, messageOf } from '#web/api.ts'
import { Button } from '#web/Button.tsx'
import { discountText } from '#web/format.tsx'
import { List } from '#web/list/List.tsx'
import { reread } from '#web/reread.ts'
import { usePermission, useSession } from '#web/session.ts'
import { toast } from '#web/toast.ts'
import type { partners } from './contract.ts'
import { SUSPENSION_REFUSALS } from './rules.ts'

const paymentSettingsApi = api<typeof paymentSettings>('paymentSettings')
const partnersApi = api<typeof partners>('partners')
const agentDeskApi = api<typeof agentDesk>('agentDesk')
const OwnerDialog = lazy(() => import('#features/agent-desk/OwnerDialog.tsx'))
const TakeOnDialog = lazy(() => import('./TakeOnDialog.tsx'))
const EditDialog = lazy(() => import('./EditDialog.tsx'))
const SuspendDialog = lazy(() => import('./SuspendDialog.tsx'))
const CreditDialog = lazy(() => import('#features/ledger/CreditDialog.tsx'))

type Row = Out<typeof agentDesk.list>['rows'][number]

/** The vendor's view of its agents: level, discount, balances; prepaid tokens enter here. */
export default function AgentsPage() {
  const mayCredit = usePermission('ledger.credit')
  const mayView = usePermission('viewAs.agent')
  const { agentId } = useSession()
  const refusalOfView = ({ id, status }: Row) => {
    if (id === agentId) return REFUSALS.VIEW_SELF
    return status === 'closed' ? REFUSALS.VIEW_DISABLED : undefined
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
  const mayManage = usePermission('partners.manage')
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Row | null>(null)
  const [suspending, setSuspending] = useState<Row | null>(null)
  const resume = useMutation({
    mutationFn: ({ id }: Row) => partnersApi.resume({ id }),
    onSuccess: (_answer, row) => toast.success(`已恢复：${row.companyName}`),
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  const invite = useMutation({
    mutationFn: ({ id }: Row) => partnersApi.invite({ id }),
    onSuccess: ({ phone }) => toast.success(`邀请短信已发送到 ${phone}`),
    onError: error => toast.error(messageOf(error)),
  })
  const manage = (row: Row) => [
    { key: 'edit', label: '修改', onClick: () => setEdited(row) },
    row.status === 'suspended'
      ? { key: 'resume', label: '恢复', onClick: () => resume.mutate(row) }
      : {
          key: 'suspend',
          label: '暂停',
          danger: true,
          disabled: row.status === 'closed' ? SUSPENSION_REFUSALS.SUSPENDED_ALREADY : null,
          onClick: () => setSuspending(row),
        },
    { key: 'invite', label: '重发邀请', onClick: () => invite.mutate(row) },
  ]
  const [credited, setCredited] = useState<Row | null>(null)
  const [secured, setSecured] = useState<Row | null>(null)
  return (
    <>
      <List
        of={AGENTS}
        from={agentDeskApi.list}
        cells={CELLS}
        options={{ parentId: AGENT_OPTIONS }}
        main={
          mayManage ? (
            <Button kind="primary" onClick={() => setAdding(true)}>
              新增合作伙伴
            </Button>
          ) : undefined
        }
        actionsWidth={mayCredit && mayView ? 128 : 80}
        rowActions={
          mayCredit || mayView || maySecure || mayAllow || mayManage
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
                ...(mayManage ? manage(row) : []),
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
      {edited && (
        <Suspense>
          <EditDialog agent={edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
      {suspending && (
        <Suspense>
          <SuspendDialog agent={suspending} onClose={() => setSuspending(null)} />
        </Suspense>
      )}
      {adding && (
        <Suspense>
          <TakeOnDialog onClose={() => setAdding(false)} />
        </Suspense>
      )}
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
  payEnabled: {
    copy: (row: Row) => (row.payEnabled ? '已开通' : '未开通'),
    render: (row: Row) => (row.payEnabled ? '已开通' : '未开通'),
  },
}
