import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { AGENT_OPTIONS } from '#features/office/agents/AgentOptions.tsx'
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { SHOPS_CAPPED_TEXT } from '#features/sales/orders/rules.ts'
import { messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission, useSession } from '#web/client/session.ts'
import { confirm } from '#web/controls/confirm.ts'
import { Link } from '#web/controls/Link.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Counts, CountsBar } from '#web/list/Counts.tsx'
import { List } from '#web/list/List.tsx'
import { useListParams } from '#web/list/useListParams.ts'
import { PROGRESS, PROGRESS_FIELDS } from './fields.ts'
import styles from './progress.module.css'
import { type ProgressRow, progressApi } from './progressApi.tsx'
import { linkOf, STEPS, TURNS, WAITING_TURNS, type WaitingTurn, waitText } from './rules.ts'

const OwnerPapersDrawer = lazy(() => import('#features/acquiring/owner-papers/OwnerPapersDrawer.tsx'))

/** Where shops stand on their way to being paid, who is at turn, and what comes next. */
export default function ProgressPage() {
  const navigate = useNavigate()
  const { permissions } = useSession()
  const mayRemind = usePermission('acquiringProgress.remind')
  const mayView = usePermission('ownerPapers.view')
  const mayInvite = usePermission('ownerPapers.invite') && mayView
  const reminder = useReminder()
  const [linked, setLinked] = useState<number | null>(null)
  const open = (row: ProgressRow) => void navigate(linkOf(row, key => permissions.includes(key)))
  const stepAction = (row: ProgressRow) => {
    // The office keeps no address of a link, so it is copied where another one is made.
    if (row.step === 'ownerFilling' && mayInvite)
      return {
        ...{ key: 'next', label: '复制链接', reads: true },
        onClick: () => setLinked(row.merchantId),
      }
    const { next, permission } = STEPS[row.step]
    return {
      ...{ key: 'next', reads: true, onClick: () => open(row) },
      label: next !== null && permissions.includes(permission) ? next : '查看',
    }
  }
  return (
    <>
      <List
        of={PROGRESS}
        from={progressApi.list}
        cells={{ agentName: AGENT_CELL, since: (row: ProgressRow) => <Wait row={row} /> }}
        options={{ agentId: AGENT_OPTIONS }}
        summary={({ shopsCapped }) => <Summary shopsCapped={shopsCapped} />}
        onOpen={open}
        rowActions={(row: ProgressRow) => [
          stepAction(row),
          ...(mayRemind && row.turn === 'shop'
            ? [
                {
                  key: 'remind',
                  label: remindLabel(row),
                  disabled: reminder.isPending ? '正在提醒' : row.remindRefusal,
                  onClick: () => void reminder.ask(row),
                },
              ]
            : []),
        ]}
        actionsWidth={152}
      />
      <Suspense>
        {linked !== null && <OwnerPapersDrawer merchantId={linked} onClose={() => setLinked(null)} />}
      </Suspense>
    </>
  )
}

function remindLabel({ step, isLinkExpired }: ProgressRow): string {
  if (step !== 'ownerFilling') return '短信提醒'
  return isLinkExpired ? '重发链接' : '提醒店主'
}

function useReminder() {
  const remind = useMutation({
    mutationFn: ({ id, step }: ProgressRow) => progressApi.remind({ id, step }),
    onSuccess: ({ phone }) => {
      toast.success(`提醒短信已排队，将发往 ${phone}`)
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('acquiringProgress')
    },
  })
  const ask = async (row: ProgressRow) => {
    const sure = await confirm({
      title: `短信提醒「${row.shopName}」？`,
      text:
        row.step === 'ownerFilling'
          ? `会生成新的店主资料链接并发送短信，${row.isLinkExpired ? '原链接已过期' : '原链接随即失效'}，已填写的内容保留。`
          : '会把支付服务的签约链接发送给经营者。',
      confirmText: '发送提醒',
    })
    if (sure) remind.mutate(row)
  }
  return { ask, isPending: remind.isPending }
}

function Wait({ row: { since, hours, isOverdue } }: { row: ProgressRow }) {
  const { text } = waitText(since, hours, new Date())
  return (
    <span className={styles.wait}>
      {text}
      {isOverdue && <StatusTag tone="problem">超时</StatusTag>}
    </span>
  )
}

function Summary({ shopsCapped }: { shopsCapped: boolean }) {
  const [params, setParams] = useListParams(PROGRESS)
  const { data } = useQuery(progressApi.counts.query())
  if (!data) return null
  const { overdue, ...turns } = data
  const { turn } = params
  return (
    <CountsBar>
      <Counts<WaitingTurn>
        label={PROGRESS_FIELDS.turn.label}
        words={TURNS}
        counts={turns}
        chosen={WAITING_TURNS.find(key => key === turn)}
        onChoose={chosen => setParams({ turn: chosen })}
      />
      <Counts
        label="超时"
        words={{ overdue: '已超时' }}
        counts={{ overdue }}
        chosen={params.overdue ? 'overdue' : undefined}
        onChoose={chosen => setParams({ overdue: chosen === undefined ? undefined : true })}
      />
      {shopsCapped && <span>{SHOPS_CAPPED_TEXT}</span>}
      <Link to="/admin/merchant/progressTimes">开通时效</Link>
    </CountsBar>
  )
}
