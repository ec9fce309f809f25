// How far an application is with the acquirer's protocol, and why its last round came to nothing.
import { useMutation, useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import styles from './acquirer.module.css'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { REFUSALS, type HandingIn as State } from './rules.ts'

const WORDS: Record<Exclude<State, 'none'>, { tone: 'attention' | 'problem' | 'neutral'; text: string }> = {
  running: { tone: 'attention', text: '正在提交' },
  stuck: { tone: 'problem', text: '没有提交成功' },
  asked: { tone: 'neutral', text: '已提交，等待渠道审核' },
}
const HINTS: Record<Exclude<State, 'none'>, string> = {
  running: '资料和图片正在送往渠道，可以离开此页面。',
  stuck: '系统会继续尝试；可以立即重试，也可以下载资料包人工送件。',
  asked: '系统会定时查询审核结果，有结果后会通知代理商。',
}
const LOOK_EVERY_MS = 2_000

export function HandingIn({ data }: { data: AcquirerData }) {
  const { id, handingIn, isBeingAsked, serviceMessage, applicationId, askedAt } = data
  useQuery({
    ...acquirerApi.details.query({ id }),
    refetchInterval: handingIn === 'running' || isBeingAsked ? LOOK_EVERY_MS : false,
  })
  if (handingIn === 'none' && serviceMessage === '') return null
  const told = handingIn === 'none' ? null : WORDS[handingIn]
  return (
    <section className={styles.tests} aria-label="渠道接口">
      <div className={styles.steps}>
        <h2>渠道接口</h2>
        {told && <StatusTag tone={told.tone}>{told.text}</StatusTag>}
        {handingIn === 'asked' && <AskNow data={data} />}
      </div>
      {serviceMessage !== '' && <p className={styles.warning}>{serviceMessage}</p>}
      {handingIn !== 'none' && <p className={styles.note}>{HINTS[handingIn]}</p>}
      {handingIn === 'asked' && (
        <Facts>
          <Fact label="渠道申请编号">{applicationId}</Fact>
          {askedAt && (
            <Fact label="最近查询">
              <Instant at={askedAt} />
            </Fact>
          )}
        </Facts>
      )}
    </section>
  )
}

/** The answer comes with the details. */
function AskNow({ data: { id, isActive, isBeingAsked } }: { data: AcquirerData }) {
  const mayDecide = usePermission('acquirerOnboardings.decide')
  const ask = useMutation({
    mutationFn: () => acquirerApi.ask({ id }),
    onSuccess: () => {
      toast.success('正在向渠道查询')
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('acquirerOnboardings')
    },
  })
  if (!mayDecide || !isActive) return null
  return (
    <Button
      changes
      busy={ask.isPending}
      disabled={isBeingAsked && REFUSALS.ASKING_ALREADY}
      onClick={() => ask.mutate()}
    >
      {isBeingAsked ? '正在查询' : '立即查询'}
    </Button>
  )
}
