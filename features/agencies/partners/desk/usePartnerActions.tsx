import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import type { partners } from '#features/agencies/partners/contract.ts'
import {
  INVITING_REFUSALS,
  type InvitationState,
  MOVE_REFUSALS,
  SUSPENSION_REFUSALS,
} from '#features/agencies/partners/rules.ts'
import type { paymentSettings } from '#features/money/payment-settings/contract.ts'
import { useHistory } from '#features/office/access/slots.tsx'
import type { AgentStatus } from '#features/office/agents/rules.ts'
import { REFUSALS } from '#features/office/view-as/rules.ts'
import { startView } from '#features/office/view-as/viewing.tsx'
import { api, messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { allows, useSession } from '#web/client/session.ts'
import { confirm } from '#web/controls/confirm.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import type { RowAction } from '#web/list/list-props.ts'

const partnersApi = api<typeof partners>('partners')
const paymentSettingsApi = api<typeof paymentSettings>('paymentSettings')
const CreditDialog = lazy(() => import('#features/money/ledger/CreditDialog.tsx'))
const OwnerDialog = lazy(() => import('#features/office/agents/desk/OwnerDialog.tsx'))
const EditDialog = lazy(() => import('#features/agencies/partners/EditDialog.tsx'))
const ParentDialog = lazy(() => import('#features/agencies/partners/ParentDialog.tsx'))
const InvitationDialog = lazy(() => import('#features/agencies/partners/InvitationDialog.tsx'))
const SuspendDialog = lazy(() => import('#features/agencies/partners/SuspendDialog.tsx'))

export type Handled = {
  id: number
  companyName: string
  status: AgentStatus
  payEnabled: boolean
  tokenBalanceCents: number
  smsBalance: number
  invitation: InvitationState | null
}

type Opened = { what: 'credit' | 'secure' | 'edit' | 'parent' | 'suspend' | 'link'; agent: Handled }

/** What the operator does with a partner, by permission; the same in the list and on its page. The dialogs belong into the page. */
export function usePartnerActions(): { actionsOf: (agent: Handled) => RowAction[]; dialogs: ReactNode } {
  const session = useSession()
  const navigate = useNavigate()
  const history = useHistory()
  const [opened, setOpened] = useState<Opened | null>(null)
  const resume = useDeed(
    ({ id }) => partnersApi.resume({ id }),
    agent => `已恢复：${agent.companyName}`,
  )
  const allow = useDeed(
    ({ id, payEnabled }) => paymentSettingsApi.allow({ id, enabled: !payEnabled }),
    agent => `已${agent.payEnabled ? '关闭' : '开通'}在线收款：${agent.companyName}`,
  )
  const invite = useDeed(
    ({ id }) => partnersApi.invite({ id }),
    agent => `已重新邀请「${agent.companyName}」，原链接失效`,
    agent => setOpened({ what: 'link', agent }),
  )
  const reset = useDeed(
    ({ id }) => partnersApi.resetLink({ id }),
    agent => `已生成「${agent.companyName}」的重设密码链接`,
    agent => setOpened({ what: 'link', agent }),
  )
  const revoke = useDeed(
    ({ id }) => partnersApi.revokeInvitation({ id }),
    agent => `已撤销对「${agent.companyName}」的邀请，链接不能再使用`,
  )
  const may = (permission: string) => allows(session, permission)

  const manage = (agent: Handled): RowAction[] => {
    const open = (what: Opened['what']) => () => setOpened({ what, agent })
    const isClosed = agent.status === 'closed'
    return [
      { key: 'edit', label: '修改', onClick: open('edit') },
      {
        key: 'parent',
        label: '调整上级',
        disabled: isClosed ? MOVE_REFUSALS.MOVED_CLOSED : null,
        onClick: open('parent'),
      },
      agent.status === 'suspended'
        ? { key: 'resume', label: '恢复', onClick: () => resume(agent) }
        : {
            key: 'suspend',
            label: '暂停',
            disabled: isClosed ? SUSPENSION_REFUSALS.SUSPENDED_ALREADY : null,
            onClick: open('suspend'),
          },
      {
        key: 'link',
        label: '邀请链接',
        reads: true,
        disabled:
          agent.invitation === 'open' ? null : (refuseInvite(agent) ?? INVITING_REFUSALS.NOTHING_OPEN),
        onClick: open('link'),
      },
      { key: 'invite', label: '重发邀请', disabled: refuseInvite(agent), onClick: () => invite(agent) },
      {
        key: 'reset',
        label: '重设密码',
        disabled: refuseReset(agent),
        onClick: async () => {
          const sure = await confirm({
            title: `为「${agent.companyName}」的负责人重设密码？`,
            text: '将生成一个 72 小时内有效的链接，请核实身份后发给本人；在新密码设置之前，原密码仍可使用。',
            confirmText: '生成链接',
          })
          if (sure) reset(agent)
        },
      },
      {
        key: 'revoke',
        label: '撤销邀请',
        disabled:
          agent.invitation === 'open' ? null : (refuseInvite(agent) ?? INVITING_REFUSALS.NOTHING_OPEN),
        onClick: async () => {
          const sure = await confirm({
            title: `撤销对「${agent.companyName}」的邀请？`,
            text: '邀请链接立即失效，负责人不能再用它设置密码；以后可以重发邀请。',
            confirmText: '撤销邀请',
          })
          if (sure) revoke(agent)
        },
      },
    ]
  }

  const actionsOf = (agent: Handled): RowAction[] => [
    ...(may('ledger.credit')
      ? [{ key: 'credit', label: '充值', onClick: () => setOpened({ what: 'credit', agent }) }]
      : []),
    ...(may('viewAs.agent')
      ? [
          {
            key: 'view',
            label: '以其身份查看',
            disabled: refuseView(agent, session.agentId),
            onClick: () => void startView('agent', { id: agent.id, name: agent.companyName }),
          },
        ]
      : []),
    ...(may('partners.manage') ? manage(agent) : []),
    ...(may('agentDesk.secure')
      ? [{ key: 'secure', label: '安全', onClick: () => setOpened({ what: 'secure', agent }) }]
      : []),
    ...(may('paymentSettings.allow')
      ? [{ key: 'pay', label: agent.payEnabled ? '关收款' : '开收款', onClick: () => allow(agent) }]
      : []),
    ...(may('partnerClosing.manage')
      ? [
          {
            key: 'close',
            label: '停止合作',
            danger: true,
            disabled: agent.status === 'closed' ? '该合作伙伴已停用' : null,
            onClick: () => void navigate({ to: '/admin/operations/closings', search: { close: agent.id } }),
          },
        ]
      : []),
    ...history.actionsOf({ kind: 'agent', id: agent.id, name: agent.companyName }),
  ]

  const close = () => setOpened(null)
  return {
    actionsOf,
    dialogs: (
      <>
        <Suspense>
          {opened?.what === 'credit' && <CreditDialog agent={opened.agent} onClose={close} />}
          {opened?.what === 'secure' && <OwnerDialog agent={opened.agent} onClose={close} />}
          {opened?.what === 'edit' && <EditDialog agent={opened.agent} onClose={close} />}
          {opened?.what === 'parent' && <ParentDialog agent={opened.agent} onClose={close} />}
          {opened?.what === 'link' && (
            <InvitationDialog
              title={`链接：${opened.agent.companyName}`}
              agentId={opened.agent.id}
              onClose={close}
            />
          )}
          {opened?.what === 'suspend' && <SuspendDialog agent={opened.agent} onClose={close} />}
        </Suspense>
        {history.drawer}
      </>
    ),
  }
}

/** Does something with a partner at once, and says so. */
function useDeed(
  deed: (agent: Handled) => Promise<unknown>,
  said: (agent: Handled) => string,
  then?: (agent: Handled) => void,
): (agent: Handled) => void {
  const { mutate } = useMutation({
    mutationFn: deed,
    onSuccess: (_answer, agent) => {
      toast.success(said(agent))
      then?.(agent)
    },
    onError: error => toast.error(messageOf(error)),
    onSettled: () => reread(),
  })
  return agent => mutate(agent)
}

function refuseView({ id, status }: Handled, ownId: number): string | null {
  if (id === ownId) return REFUSALS.VIEW_SELF
  return status === 'closed' ? REFUSALS.VIEW_DISABLED : null
}

/** Whoever is not here yet sets the first password by the invitation. */
function refuseReset({ invitation, status }: Handled): string | null {
  if (status === 'closed') return '该合作伙伴已停用'
  return invitation === null || invitation === 'accepted' ? null : INVITING_REFUSALS.OWNER_AWAY
}

/** Nobody was invited, or who was is here. */
function refuseInvite({ invitation }: Handled): string | null {
  if (invitation === null) return INVITING_REFUSALS.NOTHING_OPEN
  return invitation === 'accepted' ? INVITING_REFUSALS.OWNER_HERE : null
}
