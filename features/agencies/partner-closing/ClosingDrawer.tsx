import { useMutation, useQuery } from '@tanstack/react-query'
import { OrderLink } from '#features/money/ledger/useOpenOrder.tsx'
import { useHistory } from '#features/office/access/slots.tsx'
import { AgentLink } from '#features/office/agents/AgentLink.tsx'
import type { Out } from '#kit/declare/op.ts'
import { formatCents, formatCount } from '#kit/money.ts'
import { formatInstant } from '#kit/time.ts'
import { api, messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './closing.module.css'
import type { partnerClosing } from './contract.ts'
import { CLOSING_FIELDS } from './fields.ts'
import { BALANCE_CHOICES, percentOf, refuseStep } from './rules.ts'

const closingApi = api<typeof partnerClosing>('partnerClosing')
const REFRESH_MS = 2_000

type Details = Out<typeof partnerClosing.details>

/** How far a closing is: what is left, what could not be moved and why, and how it goes on. */
export default function ClosingDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const closing = useQuery({
    ...closingApi.details.query({ id }),
    refetchInterval: ({ state: { data } }) => data?.state === 'running' && REFRESH_MS,
  })
  const history = useHistory()
  const { data } = closing
  return (
    <Drawer title="停止合作" onClose={onClose}>
      <DrawerBody>
        {data ? (
          <div className={styles.body}>
            <header className={styles.head}>
              <h3>
                <AgentLink id={data.agentId}>{data.companyName}</AgentLink>
              </h3>
              <StatusTag tone={CLOSING_FIELDS.state.tones[data.state]}>
                {CLOSING_FIELDS.state.words[data.state]}
              </StatusTag>
            </header>
            <Progress data={data} />
            <Facts>
              <Fact label={CLOSING_FIELDS.takerName.label}>
                <AgentLink id={data.takerId}>
                  {data.takerName}（{data.takerId}）
                </AgentLink>
              </Fact>
              <Fact label={CLOSING_FIELDS.reason.label}>{data.reason}</Fact>
              <Fact label={CLOSING_FIELDS.balances.label}>{BALANCE_CHOICES[data.balances]}</Fact>
              {data.tokenCents !== null && (
                <Fact label="结算">
                  {formatCents(data.tokenCents)} 代币，{formatCount(data.sms ?? 0)} 条短信{' '}
                  {data.documentNo && <OrderLink orderNo={data.documentNo} />}
                </Fact>
              )}
              <Fact label="办理">
                {data.createdByName} {formatInstant(data.createdAt)}
              </Fact>
              {data.finishedAt && (
                <Fact label={CLOSING_FIELDS.finishedAt.label}>{formatInstant(data.finishedAt)}</Fact>
              )}
              {data.campaigns > 0 && (
                <Fact label="短信群发">{formatCount(data.campaigns)} 个正在取消，余额退回后转移商户</Fact>
              )}
              {data.problem && <Fact label="未完成原因">{data.problem}</Fact>}
            </Facts>
            <Steps data={data} history={history.actionsOf} />
            {data.failed > 0 && <Failures data={data} />}
          </div>
        ) : closing.isError ? (
          <LoadFailure error={closing.error} onRetry={() => void closing.refetch()} />
        ) : (
          <LoadingLines lines={8} />
        )}
      </DrawerBody>
      {history.drawer}
    </Drawer>
  )
}

function Progress({ data }: { data: Details }) {
  const { moved, shops } = data
  const left = Math.max(0, shops - moved)
  return (
    <div className={styles.progress}>
      <progress value={moved} max={Math.max(1, shops)} aria-label="已转移的商户" />
      <p>
        已转移 {formatCount(moved)} / {formatCount(shops)} 家（{percentOf({ moved, shops })}%）
        {left > 0 && data.state !== 'done' && `，剩余 ${formatCount(left)} 家`}
      </p>
    </div>
  )
}

const STEPS = [
  ['pause', '暂停', '已暂停'],
  ['resume', '继续', '已继续'],
  ['retry', '重试', '已重新开始'],
] as const

function Steps({ data, history }: { data: Details; history: ReturnType<typeof useHistory>['actionsOf'] }) {
  const take = useMutation({
    mutationFn: (step: (typeof STEPS)[number][0]) => closingApi[step]({ id: data.id }),
    onSuccess: (_answer, step) => toast.success(STEPS.find(([key]) => key === step)?.[2] ?? ''),
    onError: error => toast.error(messageOf(error)),
    onSettled: (_answer, error) => (error ? readAgain('partnerClosing') : reread()),
  })
  const possible = STEPS.filter(([step]) => refuseStep(data.state, step) === null)
  return (
    <div className={styles.steps}>
      {possible.map(([step, label]) => (
        <Button key={step} busy={take.isPending} onClick={() => take.mutate(step)}>
          {label}
        </Button>
      ))}
      {history({ kind: 'agent', id: data.agentId, name: data.companyName }).map(({ key, label, onClick }) => (
        <Button key={key} kind="quiet" onClick={onClick}>
          {label}
        </Button>
      ))}
    </div>
  )
}

/** The first of the shops that could not be moved, each with its reason. */
function Failures({ data }: { data: Details }) {
  return (
    <section aria-labelledby="closing-failures">
      <h4 id="closing-failures">未转移的商户 {formatCount(data.failed)} 家</h4>
      <ul className={styles.failures}>
        {data.failures.map(shop => (
          <li key={shop.merchantId}>
            <p>
              {shop.shopName}（{shop.merchantId}）
            </p>
            <p className={styles.note}>
              {shop.reason} · {formatInstant(shop.createdAt)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
