// What is known of an application: who the shop is, its account, its papers, what staff said.
import { PaperFigure } from '#features/care/documents/PaperFigure.tsx'
import { VERIFICATION_FIELDS } from '#features/care/verification/fields.ts'
import { Button } from '#web/controls/Button.tsx'
import { Instant, PhoneNumber } from '#web/controls/format.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import styles from './applications.module.css'
import type { ApplicationData } from './applicationsApi.tsx'
import { APPLICATION_FIELDS as FIELDS } from './fields.ts'
import {
  APPLICATION_STATES,
  PAPERS,
  PAY_TYPES,
  papersFor,
  REASON_FIELD_KEYS,
  REASON_FIELDS,
  REVIEW_STATES,
  type ReasonField,
} from './rules.ts'

type Props = { data: ApplicationData }

/** Field by field, what staff found wrong; in the form each leads to its field. */
export function Reasons({
  data: { reasons, advice },
  onField,
}: Props & { onField?: (field: string) => void }) {
  const told = REASON_FIELD_KEYS.filter(field => reasons[field])
  if (told.length === 0) return null
  return (
    <section className={styles.reasons} aria-label="驳回原因">
      <h2>申请被驳回，请修改后重新提交</h2>
      <ul>
        {told.map(field => (
          <li key={field}>
            <b>{REASON_FIELDS[field]}</b> {reasons[field]}{' '}
            {onField && leadsTo(field) && (
              <Button kind="link" aria-label={`去修改${REASON_FIELDS[field]}`} onClick={() => onField(field)}>
                去修改
              </Button>
            )}
            <Advice advice={advice.filter(one => fieldOf(one.field) === field)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How staff say that it is mended. */
function Advice({ advice }: Pick<ApplicationData, 'advice'>) {
  return advice.map(one => (
    <p key={one.advice} className={styles.advice}>
      建议：{one.advice}
    </p>
  ))
}

/** What has no field of its own here stands among the others. */
const fieldOf = (field: string) => REASON_FIELD_KEYS.find(key => key === field) ?? 'other'

/** The account is the shop's own, and what is said of everything has no field. */
const leadsTo = (field: ReasonField) => field !== 'account' && field !== 'other'

/** Of the verification data, so that nobody is asked twice. */
export function IdentityFacts({ data: { identity } }: Props) {
  const { state, company, creditCode, legalPerson, personInCharge, idNumberMasked } = identity
  const { words, tones } = VERIFICATION_FIELDS.state
  return (
    <Facts>
      <Fact label={VERIFICATION_FIELDS.state.label}>
        <StatusTag tone={tones[state]}>{words[state]}</StatusTag>
      </Fact>
      <Fact label={VERIFICATION_FIELDS.company.label}>{company}</Fact>
      <Fact label={VERIFICATION_FIELDS.creditCode.label}>{creditCode}</Fact>
      <Fact label={VERIFICATION_FIELDS.legalPerson.label}>{legalPerson}</Fact>
      <Fact label={VERIFICATION_FIELDS.personInCharge.label}>{personInCharge}</Fact>
      <Fact label={VERIFICATION_FIELDS.idNumber.label}>{idNumberMasked}</Fact>
    </Facts>
  )
}

export function ApplicationFacts({ data }: Props) {
  const { state, reviewState } = data
  return (
    <div className={styles.facts}>
      <div className={styles.beside}>
        <Facts>
          {state && (
            <Fact label={FIELDS.state.label}>
              <StatusTag tone={FIELDS.state.tones[state]}>{APPLICATION_STATES[state]}</StatusTag>
            </Fact>
          )}
          {reviewState && (
            <Fact label={FIELDS.reviewState.label}>
              <StatusTag tone={FIELDS.reviewState.tones[reviewState]}>{REVIEW_STATES[reviewState]}</StatusTag>
            </Fact>
          )}
          {data.reviewNote !== '' && <Fact label={FIELDS.reviewNote.label}>{data.reviewNote}</Fact>}
          <Fact label={FIELDS.payType.label}>{PAY_TYPES[data.payType]}</Fact>
          <Fact label={FIELDS.phone.label}>{data.phone && <PhoneNumber number={data.phone} />}</Fact>
          <Fact label={FIELDS.email.label}>{data.email}</Fact>
          <Fact label={FIELDS.regionName.label}>{data.regionName}</Fact>
          <Fact label={FIELDS.bankName.label}>{data.bankName}</Fact>
          <Fact label={FIELDS.branchName.label}>{data.branchName}</Fact>
          <Fact label={FIELDS.branchNumber.label}>{data.branchNumber}</Fact>
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
          {data.reviewedAt && (
            <Fact label={FIELDS.reviewedAt.label}>
              <Instant at={data.reviewedAt} /> {data.reviewedByName}
            </Fact>
          )}
        </Facts>
        <IdentityFacts data={data} />
      </div>
      <div className={styles.papers}>
        {papersFor(data.payType).map(name => (
          <PaperFigure
            key={name}
            paper={data.papers.find(one => one.name === name)}
            kind={PAPERS[name]}
            purpose="paymentApplication"
          />
        ))}
      </div>
    </div>
  )
}
