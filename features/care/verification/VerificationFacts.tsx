import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PaperFigure } from '#features/care/documents/PaperFigure.tsx'
import { messageOf } from '#web/client/api.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { look } from '#web/controls/look.ts'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { EmptyState } from '#web/form/LoadStates.tsx'
import { VERIFICATION_FIELDS } from './fields.ts'
import {
  originText,
  PAPERS,
  type PaperName,
  READ_PROBLEMS,
  READERS,
  type ReadName,
  SURE_ENOUGH,
} from './rules.ts'
import styles from './verification.module.css'
import { type PaperData, type VerificationData, verificationApi } from './verificationApi.tsx'

/** The data of a shop with each paper beside what it is to prove. `warnings`: in place of what was said of them. */
export function VerificationFacts({ data, warnings }: { data: VerificationData; warnings?: ReactNode }) {
  if (data.revision === 0)
    return (
      <EmptyState title="没有实名资料">
        <p>该商户还没有填写实名资料</p>
      </EmptyState>
    )
  return (
    <div className={styles.facts}>
      <Standing data={data} />
      {warnings ?? <Warnings data={data} />}
      <section className={styles.beside} aria-label="企业信息">
        <Papers data={data} names={['licenceId']} />
        <Facts>
          <Value data={data} name="company" />
          <Value data={data} name="creditCode" />
          <Value data={data} name="legalPerson" />
        </Facts>
      </section>
      <section className={styles.beside} aria-label="责任人信息">
        <Papers data={data} names={['idFrontId', 'idBackId']} />
        <Facts>
          <Value data={data} name="personInCharge" />
          <Fact label={VERIFICATION_FIELDS.idNumber.label}>
            <IdNumber data={data} />
          </Fact>
          <Fact label={VERIFICATION_FIELDS.phone.label}>
            {data.phone && (
              <>
                <PhoneNumber number={data.phone} />
                <span className={look.quiet}>
                  {data.phoneVerifiedAt ? ' 已用验证码核实' : ' 未用验证码核实'}
                </span>
              </>
            )}
          </Fact>
          <Fact label={VERIFICATION_FIELDS.signature.label}>{data.signature}</Fact>
          <Fact label="提交">
            {data.submittedAt ? (
              <>
                {data.submittedByName} <Instant at={data.submittedAt} />
              </>
            ) : null}
          </Fact>
          {data.handledAt && (
            <Fact label="处理">
              {data.handledByName} <Instant at={data.handledAt} />
            </Fact>
          )}
        </Facts>
      </section>
    </div>
  )
}

/** What speaks against the data, with what was said of it. */
function Warnings({ data: { warnings, state, handledByName, submittedByName } }: { data: VerificationData }) {
  if (warnings.length === 0 || state === 'unverified') return null
  return (
    <section className={styles.warnings} aria-label="需要核实的提示">
      <h4>需要核实的提示</h4>
      <ul>
        {warnings.map(({ key, text, explanation, answer }) => (
          <li key={key}>
            <p className={styles.doubtful}>{text}</p>
            {explanation && (
              <p>
                说明：{explanation} <span className={look.quiet}>{submittedByName}</span>
              </p>
            )}
            {answer && (
              <p>
                核实意见：{answer} <span className={look.quiet}>{handledByName}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The state, and what was said of it. */
export function Standing({ data }: { data: VerificationData }) {
  const { state, reason, advice, editRefusal, hours } = data
  const { tones, words } = VERIFICATION_FIELDS.state
  return (
    <div className={styles.standing}>
      <StatusTag tone={tones[state]}>{words[state]}</StatusTag>
      {state === 'failed' && reason && (
        <span role="note">
          {reason}
          {advice && <span className={look.quiet}>　{advice}</span>}
        </span>
      )}
      {state === 'reviewing' && <span className={look.quiet}>{hours} 小时内给出结果</span>}
      {state === 'verified' && <span className={look.quiet}>{editRefusal}</span>}
    </div>
  )
}

function Value({ data, name }: { data: VerificationData; name: Exclude<ReadName, 'idNumber'> }) {
  return (
    <Fact label={VERIFICATION_FIELDS[name].label}>
      {data[name] && (
        <>
          {data[name]} <Origin data={data} name={name} />
        </>
      )}
    </Fact>
  )
}

function Origin({ data, name }: { data: VerificationData; name: ReadName }) {
  const origin = data.origins[name]
  if (!origin) return null
  const doubtful = origin.by === 'corrected' || (origin.sure !== null && origin.sure < SURE_ENOUGH)
  return <span className={doubtful ? styles.doubtful : look.quiet}>{originText(origin)}</span>
}

/** Masked until somebody asks, which is logged. */
export function IdNumber({ data }: { data: VerificationData }) {
  const mayReveal = usePermission('verification.reveal')
  const reveal = useMutation({
    mutationFn: () => verificationApi.reveal({ merchantId: data.merchantId }),
    onError: error => toast.error(messageOf(error)),
  })
  if (data.idNumberMasked === '') return null
  return (
    <>
      <span className={look.number}>{reveal.data?.idNumber ?? data.idNumberMasked}</span>{' '}
      <Origin data={data} name="idNumber" />
      {mayReveal && !reveal.data && (
        <Button kind="link" changes busy={reveal.isPending} onClick={() => reveal.mutate()}>
          显示完整号码
        </Button>
      )}
    </>
  )
}

function Papers({ data, names }: { data: VerificationData; names: readonly PaperName[] }) {
  return (
    <div className={styles.papers}>
      {names.map(name => {
        const paper = data.papers.find(one => one.name === name)
        return (
          <PaperFigure key={name} paper={paper} kind={PAPERS[name]} purpose="verification">
            {paper && <PaperNotes paper={paper} />}
          </PaperFigure>
        )
      })}
    </div>
  )
}

/** Until when it holds, and what its reader had to say. */
function PaperNotes({ paper: { expiresOn, isLongTerm, reading } }: { paper: PaperData }) {
  const end = isLongTerm ? '长期有效' : expiresOn && `有效期至 ${expiresOn}`
  return (
    <>
      {end && <span className={look.quiet}>{end}</span>}
      {reading && (
        <span className={look.quiet}>
          {READERS[reading.reader]}
          {reading.problem === null ? '已识别' : '未能识别'}
          {reading.isWeak && '，仅供参考'}
        </span>
      )}
      {reading && <ReadingNotes {...reading} />}
    </>
  )
}

type Notes = Pick<NonNullable<PaperData['reading']>, 'problem' | 'warnings'>

export function ReadingNotes({ problem, warnings }: Notes) {
  return [...(problem ? [problem] : []), ...warnings].map(one => (
    <span key={one} className={styles.doubtful}>
      {READ_PROBLEMS[one]}
    </span>
  ))
}
