import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Instant } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { SETTLING } from './fields.ts'

type Test = AcquirerData['testPayments'][number]
type Props = { onboardingId: number; test: Test; mayDecide: boolean }

/** What one of staff has seen to by hand where the acquirer brings nothing back, and another has looked at. */
export function SettledByHand({ onboardingId: id, test, mayDecide }: Props) {
  const { id: testPaymentId, settleReason, settledByName, settledAt, checkedByName, checkedAt } = test
  const [isSaying, setSaying] = useState(false)
  const check = useMutation({
    mutationFn: (isRight: boolean) => acquirerApi.checkTest({ id, testPaymentId, isRight }),
    onSuccess: (_, isRight) => {
      toast.success(isRight ? '已复核，这笔测试支付已了结' : '已退回，这笔测试支付仍待处理')
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('acquirerOnboardings')
    },
  })
  const pass = async () => {
    const sure = await confirm({
      title: '复核通过？',
      text: `请先在渠道后台核对：${settleReason}。通过后系统不再查询和退款。`,
      confirmText: '复核通过',
    })
    if (sure) check.mutate(true)
  }
  return (
    <>
      {settledAt !== null && (
        <span className={styles.settled}>
          {settleReason} · {settledByName} 登记 <Instant at={settledAt} />
          {checkedAt !== null && (
            <>
              {` · ${checkedByName} 复核 `}
              <Instant at={checkedAt} />
            </>
          )}
        </span>
      )}
      {mayDecide && settledAt !== null && checkedAt === null && (
        <span className={styles.steps}>
          <Button
            changes
            busy={check.isPending}
            disabled={test.checkRefusal ?? false}
            onClick={() => void pass()}
          >
            复核通过
          </Button>
          <Button
            changes
            kind="quiet"
            disabled={test.checkRefusal ?? false}
            onClick={() => check.mutate(false)}
          >
            退回登记
          </Button>
        </span>
      )}
      {mayDecide && test.settleRefusal === null && (
        <Button changes onClick={() => setSaying(true)}>
          登记人工处理
        </Button>
      )}
      {isSaying && (
        <FormDialog
          title="登记人工处理"
          submitText="登记"
          of={SETTLING}
          send={async ({ settleReason: said }) => {
            await acquirerApi
              .settleTest({ id, testPaymentId, settleReason: said })
              .catch((error: unknown) => {
                readAgain('acquirerOnboardings')
                throw error
              })
            toast.success('已登记，等待另一位同事复核')
            await reread()
          }}
          onClose={() => setSaying(false)}
        />
      )}
    </>
  )
}
