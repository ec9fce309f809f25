import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, useEffect, useRef, useState } from 'react'
import { ONBOARDING_STATES, type OnboardingState } from '#kit/ports/onboarding.ts'
import { QrCode } from '#web/chart/QrCode.tsx'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { copyText } from '#web/controls/copy.ts'
import { Instant } from '#web/controls/format.tsx'
import { StatusTag, type Tone } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { LoadFailure, LoadingLines } from '#web/form/LoadStates.tsx'
import styles from './onboarding.module.css'
import { type OnboardingData, onboardingsApi } from './onboardingsApi.tsx'
import { type Opened, People } from './People.tsx'
import { RefusalList } from './RefusalList.tsx'
import { ONBOARDING_STEP_WORDS, type OnboardingStep, REFUSALS } from './rules.ts'
import { SettlementSection } from './slots.tsx'

const CompleteDialog = lazy(() => import('./CompleteDialog.tsx'))

/** While the program asks the service. */
const AGAIN_AFTER_MS = 2_000

const TONES: Record<OnboardingStep, Tone> = {
  filling: 'neutral',
  waiting: 'attention',
  asked: 'attention',
  mending: 'problem',
  stuck: 'problem',
  finished: 'done',
  ended: 'problem',
}

/** What the shop has to do there, by the state in which it is its turn. */
const SHOPS_TURN: Partial<Record<OnboardingState, string>> = {
  toBeConfirmed: '用微信扫码，按页面提示完成账户验证',
  toBeSigned: '用微信扫码，核对资料并签约',
}

/** What the payment service asks for beyond an application, and where it stands there. */
export default function OnboardingSection({ id }: { id: number }) {
  const data = useQuery({
    ...onboardingsApi.ofApplication.query({ id }),
    refetchInterval: ({ state: { data: known } }) =>
      (known?.isAsking || known?.step === 'waiting') && AGAIN_AFTER_MS,
  })
  const { serviceState } = data.data ?? {}
  const seen = useRef(serviceState)
  // What the program heard meanwhile changes the application and its lists, too.
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== serviceState) readAgain('paymentApplications')
    seen.current = serviceState
  }, [serviceState])
  return (
    <section className={styles.section} aria-label="支付服务">
      {data.isError && !data.data ? (
        <LoadFailure error={data.error} onRetry={() => void data.refetch()} />
      ) : !data.data ? (
        <LoadingLines lines={4} />
      ) : (
        <Shown id={id} data={data.data} />
      )}
    </section>
  )
}

function Shown({ id, data }: { id: number; data: OnboardingData }) {
  const { step, serviceState, lacking, message } = data
  const isOpen = step === 'filling' && data.completeRefusal === null
  const mayEdit = usePermission('paymentApplications.edit')
  const mayMend = mayEdit && data.completeRefusal === null
  const [completing, setCompleting] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const mend = ({ role, personId }: OnboardingData['refusals'][number]) => {
    const person = data.people.find(one => one.id === personId)
    if (role && person) setOpened({ role, person })
    else setCompleting(true)
  }
  const state =
    step === 'asked' && serviceState ? ONBOARDING_STATES[serviceState] : ONBOARDING_STEP_WORDS[step]
  return (
    <>
      <div className={styles.head}>
        <h2>支付服务</h2>
        <StatusTag tone={TONES[step]}>{state}</StatusTag>
      </div>
      {data.completeRefusal !== null && step === 'filling' && (
        <p className={styles.note}>{data.completeRefusal}</p>
      )}
      {isOpen && lacking.length > 0 && (
        <>
          <p className={styles.note}>提交支付服务前还需要：</p>
          <ul className={styles.lacking}>
            {lacking.map(({ field, words }) => (
              <li key={`${field} ${words}`}>{words}</li>
            ))}
          </ul>
        </>
      )}
      {data.refusals.length > 0 && (
        <>
          <p className={styles.note}>支付服务驳回了补全资料中的下列内容，修改后请重新提交申请：</p>
          <RefusalList refusals={data.refusals} people={data.people} {...(mayMend && { onField: mend })} />
        </>
      )}
      {isOpen && lacking.length === 0 && <p className={styles.note}>资料已齐全</p>}
      <People id={id} data={data} isOpen={mayMend} opened={opened} onOpen={setOpened} />
      <SignCode data={data} />
      <Facts>
        {message !== '' && <Fact label="支付服务说明">{message}</Fact>}
        {data.subMerchantId !== '' && <Fact label="商户号">{data.subMerchantId}</Fact>}
        {data.businessCode !== '' && <Fact label="业务申请编号">{data.businessCode}</Fact>}
        {data.submittedAt !== null && (
          <Fact label="提交">
            <Instant at={data.submittedAt} /> {data.submittedByName}
          </Fact>
        )}
        {data.askedAt !== null && (
          <Fact label="最近查询">
            <Instant at={data.askedAt} />
          </Fact>
        )}
      </Facts>
      {data.paidOtherwise !== null && (
        <p className={styles.note} role="status">
          店铺正在使用{data.paidOtherwise}，新的商户号没有自动写入收款方式。
        </p>
      )}
      <Deeds id={id} data={data} onComplete={() => setCompleting(true)} />
      {step === 'finished' && <SettlementSection id={id} />}
      <Suspense>
        {completing && <CompleteDialog id={id} data={data} onClose={() => setCompleting(false)} />}
      </Suspense>
    </>
  )
}

function SignCode({ data: { serviceState, signUrl, daysLeft, people } }: { data: OnboardingData }) {
  const deputy = people.find(({ role }) => role === 'deputy')
  const words = serviceState && SHOPS_TURN[serviceState]
  if (!words || signUrl === '') return null
  return (
    <div className={styles.sign}>
      <QrCode text={signUrl} label="签约二维码" />
      <div>
        <p>
          请{deputy ? `经办人${deputy.name}` : '经营者（法定代表人）'}
          {words}
          {daysLeft !== null && `，还有 ${daysLeft} 天`}。
        </p>
        <Button kind="link" onClick={() => void copyText(signUrl)}>
          复制链接
        </Button>
      </div>
    </div>
  )
}

type DeedsProps = { id: number; data: OnboardingData; onComplete: () => void }

function Deeds({ id, data, onComplete }: DeedsProps) {
  const mayEdit = usePermission('paymentApplications.edit')
  const maySubmit = usePermission('paymentApplications.review')
  const deed = useMutation({
    mutationFn: async ({ run }: { run: () => Promise<unknown>; done: string }) => run(),
    onSuccess: (_, { done }) => {
      toast.success(done)
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('onboardings')
    },
  })
  const handOver = async () => {
    const sure = await confirm({
      title: '改用新的商户号收款？',
      text: `店铺现在使用${data.paidOtherwise ?? ''}，改用后由商户号 ${data.subMerchantId} 收款，收银系统随即生效。`,
      confirmText: '改用新商户号',
    })
    if (sure) deed.mutate({ run: () => onboardingsApi.handOver({ id }), done: '已改用新商户号' })
  }
  const isAsked = data.step === 'asked' || data.step === 'waiting' || data.step === 'stuck'
  const mayHandIn =
    data.submitRefusal !== REFUSALS.ALREADY_UNDER_WAY && data.submitRefusal !== REFUSALS.ACCEPTED
  return (
    <div className={styles.deeds}>
      {mayEdit && data.completeRefusal === null && (
        <Button changes onClick={onComplete}>
          补全资料
        </Button>
      )}
      {maySubmit && mayHandIn && (
        <Button
          changes
          kind="primary"
          busy={deed.isPending}
          disabled={data.submitRefusal ?? false}
          onClick={() =>
            deed.mutate({
              run: () => onboardingsApi.submit({ id, revision: data.revision }),
              done: '已提交，正在送达支付服务',
            })
          }
        >
          {data.step === 'filling' ? '提交支付服务' : '重新提交支付服务'}
        </Button>
      )}
      {mayEdit && isAsked && (
        <Button
          changes
          busy={deed.isPending}
          onClick={() => deed.mutate({ run: () => onboardingsApi.ask({ id }), done: '正在查询' })}
        >
          查询状态
        </Button>
      )}
      {maySubmit && data.paidOtherwise !== null && (
        <Button changes onClick={() => void handOver()}>
          改用新商户号
        </Button>
      )}
    </div>
  )
}
