import { useMutation, useQuery } from '@tanstack/react-query'
import {
  isOpen,
  SIGNATURE_STATES,
  type SignatureState,
  SMS_SERVICES,
} from '#features/shops/signatures/rules.ts'
import { CARRIER_STATES, CARRIERS } from '#kit/ports/signature-desk.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './approvals.module.css'
import { type ApprovalRow, type AtService, approvalsApi, LOOK_AGAIN_MS } from './approvalsApi.tsx'
import { APPROVAL_FIELDS } from './fields.ts'

const SOON_MS = 90_000
const TONES = {
  waiting: 'attention',
  reviewing: 'attention',
  approved: 'done',
  refused: 'problem',
  takenBack: 'problem',
  stuck: 'problem',
  ended: 'neutral',
} as const satisfies Record<SignatureState, string>

/** Where a signature stands at each SMS service, with what that said, for the vendor's staff. */
export function AtServices({ request }: { request: ApprovalRow }) {
  const told = useQuery({
    ...approvalsApi.atServices.query({ merchantId: request.merchantId }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.rows) ? LOOK_AGAIN_MS : false),
  })
  const rows = told.data?.rows.filter(({ signature }) => signature === request.content)
  if (rows?.length === 0) return null
  return (
    <section aria-label={APPROVAL_FIELDS.services.label} aria-busy={!rows}>
      <h4>短信服务商</h4>
      {rows ? (
        <ul className={styles.services}>
          {rows.map(row => (
            <Service key={row.id} row={row} />
          ))}
        </ul>
      ) : told.isError ? (
        <LoadFailure error={told.error} onRetry={() => void told.refetch()} />
      ) : (
        <LoadingLines lines={3} />
      )}
    </section>
  )
}

/** A service is asked about it now or soon, so that it may soon stand otherwise. */
function isUnderWay(rows: readonly AtService[] = []): boolean {
  const soon = Date.now() + SOON_MS
  return rows.some(({ state, nextAt }) => isOpen(state) || (nextAt !== null && Date.parse(nextAt) < soon))
}

function Service({ row }: { row: AtService }) {
  const label = SMS_SERVICES[row.service]
  const ask = useStep(() => approvalsApi.askService({ id: row.id }), '已安排查询，稍后显示结果')
  const again = useStep(() => approvalsApi.handInAgain({ id: row.id }), '已安排重新提交')
  return (
    <li aria-label={label}>
      <p className={styles.historyHead}>
        <b>{label}</b>
        <StatusTag tone={TONES[row.state]}>{SIGNATURE_STATES[row.state]}</StatusTag>
        {row.sends && <span className={look.quiet}>当前发送通道</span>}
      </p>
      {row.answer && (
        <p className={row.state === 'refused' || row.state === 'stuck' ? styles.warning : undefined}>
          {row.answer}
          {row.code && <span className={look.quiet}>（{row.code}）</span>}
        </p>
      )}
      <Facts>
        {row.carriers.length > 0 && (
          <Fact label="运营商报备">
            {row.carriers
              .map(({ carrier, state }) => `${CARRIERS[carrier]}${CARRIER_STATES[state]}`)
              .join('，')}
          </Fact>
        )}
        {row.serviceId && <Fact label="服务商编号">{row.serviceId}</Fact>}
        {row.handedInAt && (
          <Fact label="提交">
            <Instant at={row.handedInAt} />
          </Fact>
        )}
        {row.askedAt && (
          <Fact label="最近查询">
            <Instant at={row.askedAt} />
          </Fact>
        )}
        {row.nextAt && (
          <Fact label="下次查询">
            <Instant at={row.nextAt} />
          </Fact>
        )}
      </Facts>
      <Permit permission="approvals.decide">
        <p className={styles.steps}>
          <Button
            changes
            busy={ask.isPending}
            disabled={row.state === 'ended' ? '已不再等待该服务商的结果' : null}
            aria-label={`再次查询${label}`}
            onClick={() => ask.mutate()}
          >
            再次查询
          </Button>
          {(row.state === 'stuck' || (!isOpen(row.state) && row.state !== 'approved')) && (
            <Button
              changes
              busy={again.isPending}
              disabled={row.againRefusal}
              aria-label={`重新提交${label}`}
              onClick={() => again.mutate()}
            >
              重新提交
            </Button>
          )}
        </p>
      </Permit>
    </li>
  )
}

function useStep(act: () => Promise<unknown>, done: string) {
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      toast.success(done)
      readAgain('approvals')
    },
    onError: error => {
      toast.error(messageOf(error))
      readAgain('approvals')
    },
  })
}
