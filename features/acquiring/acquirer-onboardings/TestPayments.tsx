import { useMutation, useQuery } from '@tanstack/react-query'
import { QrCode } from '#web/chart/QrCode.tsx'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { TEST_OPEN_STATES, TEST_STATES, TESTING, type TestState } from './rules.ts'
import { SettledByHand } from './SettledByHand.tsx'

const TONES = {
  ordering: 'neutral',
  waiting: 'attention',
  paid: 'attention',
  refunded: 'done',
  failed: 'problem',
  settled: 'neutral',
} as const
const LOOK_EVERY_MS = 2_000
const isOpen = (state: TestState) => (TEST_OPEN_STATES as readonly TestState[]).includes(state)

/** One fen through what was handed over: its code while somebody is to pay it, and what came of it. */
export function TestPayments({ data }: { data: AcquirerData }) {
  const mayDecide = usePermission('acquirerOnboardings.decide')
  const [latest] = data.testPayments
  const isUnderWay = latest !== undefined && isOpen(latest.state)
  useQuery({
    ...acquirerApi.details.query({ id: data.id }),
    refetchInterval: isUnderWay ? LOOK_EVERY_MS : false,
  })
  const pay = useMutation({
    mutationFn: () => acquirerApi.testPay({ id: data.id }),
    onSuccess: () => reread(),
    onError: error => toast.warning(messageOf(error)),
  })
  if (data.handedOverCode === '' && data.testPayments.length === 0) return null
  return (
    <section className={styles.tests} aria-label="测试支付">
      <div className={styles.steps}>
        <h2>测试支付</h2>
        {mayDecide && (
          <Button
            changes
            busy={pay.isPending || isUnderWay}
            disabled={data.testRefusal ?? false}
            onClick={() => pay.mutate()}
          >
            测试支付
          </Button>
        )}
      </div>
      <p className={styles.note}>
        {data.testRefusal ??
          `经店铺现在的收款配置付款 0.01 元，付款后立即退回；请在 ${TESTING.minutes} 分钟内付款。`}
      </p>
      {latest && latest.state === 'waiting' && latest.codeUrl !== '' && mayDecide && (
        <div className={styles.testCode}>
          <QrCode text={latest.codeUrl} label="测试付款码" />
          <span>请用手机扫码付款 0.01 元</span>
          {data.phoneUrl && (
            <a
              href={`${data.phoneUrl}?code=${encodeURIComponent(latest.codeUrl)}`}
              target="_blank"
              rel="noreferrer"
            >
              用模拟手机支付
            </a>
          )}
        </div>
      )}
      <ul className={styles.testList}>
        {data.testPayments.map(test => {
          const { id, state, reason, startedByName, createdAt, paidAt, refundedAt } = test
          return (
            <li key={id}>
              <StatusTag tone={TONES[state]}>{TEST_STATES[state]}</StatusTag>
              <span>
                <Instant at={createdAt} /> {startedByName}
                {paidAt && (
                  <>
                    {' · 付款 '}
                    <Instant at={paidAt} />
                  </>
                )}
                {refundedAt && (
                  <>
                    {' · 退回 '}
                    <Instant at={refundedAt} />
                  </>
                )}
              </span>
              {reason !== '' && <span>{reason}</span>}
              <SettledByHand onboardingId={data.id} test={test} mayDecide={mayDecide} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
