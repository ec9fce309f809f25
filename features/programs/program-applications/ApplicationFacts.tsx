// What is known of an application: what was filled in, its papers, why it was rejected.
import { PaperFigure } from '#features/care/documents/PaperFigure.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import styles from './applications.module.css'
import { APPLICATION_FIELDS as FIELDS } from './fields.ts'
import type { ApplicationData } from './programApplicationsApi.tsx'
import { APPLICATION_KINDS, PAPER_NAMES, PAPERS, PROGRAM_APPLICATION_STATES, PROGRAM_TYPES } from './rules.ts'

type Props = { data: ApplicationData }

/** Why staff sent it back. */
export function Reason({ data: { state, reason } }: Props) {
  if (state !== 'rejected') return null
  return (
    <section className={styles.reason} aria-label={FIELDS.reason.label}>
      <h2>申请被驳回，请修改后重新提交</h2>
      <p>{reason}</p>
    </section>
  )
}

export function ApplicationFacts({ data }: Props) {
  const { state, kind } = data
  return (
    <>
      <Facts>
        {state && (
          <Fact label={FIELDS.state.label}>
            <StatusTag tone={FIELDS.state.tones[state]}>{PROGRAM_APPLICATION_STATES[state]}</StatusTag>
          </Fact>
        )}
        <Fact label={FIELDS.kind.label}>{APPLICATION_KINDS[kind]}</Fact>
        <Fact label={FIELDS.programType.label}>{data.programType && PROGRAM_TYPES[data.programType]}</Fact>
        {kind === 'registration' && (
          <>
            <Fact label={FIELDS.programName.label}>{data.programName}</Fact>
            <Fact label={FIELDS.intro.label}>{data.intro}</Fact>
            <Fact label={FIELDS.categoryName.label}>{data.categoryName}</Fact>
            <Fact label={FIELDS.companyName.label}>{data.companyName}</Fact>
            <Fact label={FIELDS.companyCode.label}>{data.companyCode}</Fact>
            <Fact label={FIELDS.legalPersonName.label}>{data.legalPersonName}</Fact>
            <Fact label={FIELDS.legalPersonWechat.label}>{data.legalPersonWechatMasked}</Fact>
            <Fact label={FIELDS.servicePhone.label}>
              {data.servicePhone && <PhoneNumber number={data.servicePhone} />}
            </Fact>
          </>
        )}
        <Fact label={FIELDS.createdAt.label}>{data.createdAt && <Instant at={data.createdAt} />}</Fact>
        <Fact label={FIELDS.submittedAt.label}>
          {data.submittedAt && (
            <>
              <Instant at={data.submittedAt} /> {data.submittedByName}
            </>
          )}
        </Fact>
        <Fact label={FIELDS.handledAt.label}>
          {data.handledAt && (
            <>
              <Instant at={data.handledAt} /> {data.handledByName}
            </>
          )}
        </Fact>
        {data.deletedAt && (
          <Fact label={FIELDS.deletedAt.label}>
            <Instant at={data.deletedAt} /> {data.deletedByName}
          </Fact>
        )}
      </Facts>
      {kind === 'registration' && (
        <div className={styles.papers}>
          {PAPER_NAMES.map(name => (
            <PaperFigure
              key={name}
              paper={data.papers.find(one => one.name === name)}
              kind={PAPERS[name]}
              purpose="miniProgram"
            />
          ))}
          {data.certificates.map(paper => (
            <PaperFigure key={paper.name} paper={paper} kind="qualification" purpose="miniProgram">
              <br />
              {paper.name}
            </PaperFigure>
          ))}
        </div>
      )}
    </>
  )
}
