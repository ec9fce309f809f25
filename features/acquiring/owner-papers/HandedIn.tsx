import { useMutation } from '@tanstack/react-query'
import { lazy, useEffect, useEffectEvent, useState } from 'react'
import { PAY_TYPES } from '#features/acquiring/payment-applications/rules.ts'
import { PaperFigure } from '#features/care/documents/PaperFigure.tsx'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission, useViewOnly } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { OWNER_PAPERS_FIELDS as FIELDS } from './fields.ts'
import styles from './owner-desk.module.css'
import { type OwnerPapersData, ownerPapersApi } from './ownerPapersApi.tsx'
import {
  OWNER_NUMBERS,
  OWNER_PAPERS,
  OWNER_TEXT_KEYS,
  OWNER_TEXTS,
  REASON_FIELDS,
  reasonsText,
} from './rules.ts'

const SendBackDialog = lazy(() => import('./SendBackDialog.tsx'))

type Props = { data: OwnerPapersData; onTaken: (() => void) | undefined }

/** What the owner signed, with its papers: taken over, or sent back field by field. */
export function HandedIn({ data, onTaken }: Props) {
  const { id, state, revision, seenAt, given, signedText, signedHash } = data
  const mayDecide = usePermission('ownerPapers.decide')
  const viewOnly = useViewOnly()
  const [asking, setAsking] = useState(false)
  const isWaiting = state === 'submitted'
  const adopt = useMutation({
    mutationFn: () => ownerPapersApi.adopt({ id, revision }),
    onSuccess: async ({ outcome }) => {
      toast.success(outcome)
      await reread()
      onTaken?.()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('ownerPapers')
    },
  })
  const markSeen = useEffectEvent(async () => {
    if (!isWaiting || seenAt !== null || !mayDecide || viewOnly !== null) return
    await ownerPapersApi.see({ id })
    await reread()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that was handed in.
  useEffect(() => void markSeen(), [id, revision])
  return (
    <section className={styles.given} aria-label="店主提交的资料">
      <div className={styles.head}>
        <h3>店主提交的资料</h3>
        <StatusTag tone={FIELDS.state.tones[state]}>{FIELDS.state.words[state]}</StatusTag>
      </div>
      {isWaiting && (
        <Permit permission="ownerPapers.decide">
          <div className={styles.actions}>
            <Button changes kind="primary" busy={adopt.isPending} onClick={() => adopt.mutate()}>
              采用
            </Button>
            <Button changes onClick={() => setAsking(true)}>
              退回
            </Button>
            <span className={look.quiet}>采用后带入证件资料、实名资料和支付申请，可继续修改</span>
          </div>
        </Permit>
      )}
      {data.outcome !== '' && <p className={styles.note}>{data.outcome}</p>}
      {state === 'returned' && <p className={styles.note}>已退回：{reasonsText(data.reasons)}</p>}
      <Facts>
        <Fact label={REASON_FIELDS.payType}>{PAY_TYPES[given.payType]}</Fact>
        {OWNER_TEXT_KEYS.map(key => (
          <Fact key={key} label={OWNER_TEXTS[key]}>
            {given[key]}
          </Fact>
        ))}
        <Fact label={OWNER_NUMBERS.idNumber}>{given.idNumberMasked}</Fact>
        <Fact label={OWNER_NUMBERS.accountNumber}>{given.accountNumberMasked}</Fact>
        <Fact label="手机号">{given.phone && <PhoneNumber number={given.phone} />}</Fact>
        <Fact label="提交时间">{data.submittedAt && <Instant at={data.submittedAt} />}</Fact>
        <Fact label="处理">
          {data.handledAt && (
            <>
              <Instant at={data.handledAt} /> {data.handledByName}
            </>
          )}
        </Fact>
      </Facts>
      <div className={styles.papers}>
        {data.papers.map(paper => (
          <PaperFigure
            key={paper.name}
            paper={paper}
            kind={OWNER_PAPERS[paper.name]}
            purpose="paymentApplication"
          />
        ))}
      </div>
      <details className={styles.signed}>
        <summary>签名文本</summary>
        <p>{signedText}</p>
        <p className={look.quiet}>SHA-256 {signedHash}</p>
        {viewOnly === null && (
          <img src={`/api/owner-papers/handed-in/${id}/signature`} alt="店主签名" loading="lazy" />
        )}
      </details>
      <Suspense>{asking && <SendBackDialog data={data} onClose={() => setAsking(false)} />}</Suspense>
    </section>
  )
}
