import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useHistory } from '#features/office/access/slots.tsx'
import { nextState } from '#kit/declare/machine.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Drawer, DrawerBody } from '#web/form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import { isReadingDrawer, useKeys } from '#web/keys/keys.ts'
import { AnswerWarnings } from './AnswerWarnings.tsx'
import { refuseAnswers, STEP_REFUSALS, VERIFICATION_STEPS } from './rules.ts'
import { VerificationFacts } from './VerificationFacts.tsx'
import styles from './verification.module.css'
import { type VerificationData, verificationApi } from './verificationApi.tsx'

const RejectDialog = lazy(() => import('./RejectDialog.tsx'))

/** One shop's data over the list: papers beside what they are to prove, and the decision. */
export default function ReviewDrawer({ merchantId, onClose }: { merchantId: number; onClose: () => void }) {
  const data = useQuery(verificationApi.ofShop.query({ merchantId }))
  return (
    <Drawer title="实名审核" wide onClose={onClose}>
      <DrawerBody>
        {data.isError && !data.data ? (
          <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
        ) : !data.data ? (
          <LoadingLines lines={12} />
        ) : (
          <Review data={data.data} />
        )}
      </DrawerBody>
    </Drawer>
  )
}

function Review({ data }: { data: VerificationData }) {
  const { merchantId, shopName, revision, state } = data
  const history = useHistory()
  const mayDecide = usePermission('verification.decide')
  const [rejecting, setRejecting] = useState(false)
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const verify = useMutation({
    mutationFn: () => verificationApi.verify({ merchantId, revision, answers }),
    onSuccess: () => {
      toast.success('已通过认证')
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('verification')
    },
  })
  const can = (step: 'verify' | 'reject' | 'revoke') =>
    nextState<typeof state, keyof typeof VERIFICATION_STEPS>(VERIFICATION_STEPS, state, step) !== null
  const answersDue = mayDecide && can('verify')
  const refused = refuseAnswers(data.warnings, answers)
  const mayVerify = answersDue && refused === null && !verify.isPending
  const mayReject = mayDecide && (can('reject') || can('revoke'))
  useKeys('实名审核', [
    {
      press: 'a',
      does: '通过',
      everywhere: true,
      act: event => isReadingDrawer(event) && mayVerify && verify.mutate(),
    },
    {
      press: 'r',
      does: '驳回',
      everywhere: true,
      act: event => isReadingDrawer(event) && mayReject && setRejecting(true),
    },
  ])
  return (
    <div className={styles.body}>
      <header className={styles.head}>
        <h3>{data.company || shopName}</h3>
        <span className={look.quiet}>
          {shopName}（{merchantId}）
        </span>
      </header>
      <div className={styles.steps}>
        <Permit permission="verification.decide">
          {can('verify') && (
            <Button
              changes
              kind="primary"
              busy={verify.isPending}
              disabled={refused && STEP_REFUSALS[refused]}
              onClick={() => verify.mutate()}
            >
              通过认证
            </Button>
          )}
          {(can('reject') || can('revoke')) && (
            <Button changes onClick={() => setRejecting(true)}>
              {can('revoke') ? '撤销认证' : '驳回'}
            </Button>
          )}
        </Permit>
        {history
          .actionsOf({ kind: 'merchant', id: merchantId, name: shopName })
          .map(({ key, label, onClick }) => (
            <Button key={key} kind="quiet" onClick={onClick}>
              {label}
            </Button>
          ))}
      </div>
      <VerificationFacts
        data={data}
        warnings={
          answersDue ? (
            <AnswerWarnings
              data={data}
              answers={answers}
              onAnswer={(key, answer) => setAnswers(all => ({ ...all, [key]: answer }))}
            />
          ) : undefined
        }
      />
      <Suspense>
        {rejecting && (
          <RejectDialog data={data} revokes={can('revoke')} onClose={() => setRejecting(false)} />
        )}
      </Suspense>
      {history.drawer}
    </div>
  )
}
