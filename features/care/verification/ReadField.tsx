import { DocumentField } from '#features/care/documents/DocumentField.tsx'
import { Button } from '#web/controls/Button.tsx'
import { look } from '#web/controls/look.ts'
import { Field } from '#web/form/Field.tsx'
import type { Uploads } from '#web/form/files/uploads.ts'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import type { Form } from '#web/form/useForm.ts'
import { VERIFICATION_FIELDS as FIELDS } from './fields.ts'
import {
  FORM_REFUSALS,
  originText,
  PAPERS,
  type PaperName,
  READERS,
  type ReadName,
  SURE_ENOUGH,
  VERIFICATION_LIMITS,
  type VerificationForm,
} from './rules.ts'
import type { Readings } from './useReadings.tsx'
import { IdNumber, ReadingNotes } from './VerificationFacts.tsx'
import styles from './verification.module.css'
import type { VerificationData } from './verificationApi.tsx'

type Shared = { form: Form<VerificationForm>; readings: Readings }

/** A text that a paper says too. */
export function ReadField({ form, readings, name }: Shared & { name: Exclude<ReadName, 'idNumber'> }) {
  return (
    <div className={styles.read}>
      <TextField
        form={form}
        name={name}
        label={FIELDS[name].label}
        required
        maxLength={VERIFICATION_LIMITS[name]}
        hint={<OriginHint readings={readings} name={name} />}
      />
      <Offer form={form} readings={readings} name={name} />
    </div>
  )
}

function OriginHint({ readings, name }: { readings: Readings; name: ReadName }) {
  const origin = readings.originOf(name)
  if (!origin) return null
  const doubtful = origin.sure !== null && origin.sure < SURE_ENOUGH
  return <span className={doubtful ? styles.doubtful : undefined}>{originText(origin)}</span>
}

/** What was read stands beside what was typed until somebody takes it. */
function Offer({ form, readings, name }: Shared & { name: ReadName }) {
  const offered = readings.offered(name)
  if (!offered) return null
  const label = FIELDS[name].label
  return (
    <p className={styles.offer} role="note">
      <span>
        证件上识别为 <b>{offered.value}</b>
        <span className={look.quiet}>（把握 {offered.sure}%）</span>
      </span>
      <Button
        kind="link"
        aria-label={`采用识别的${label}`}
        onClick={() => form.change({ [name]: offered.value })}
      >
        采用
      </Button>
    </p>
  )
}

/** The number is kept and masked, or typed. It belongs to the picture of its card. */
export function IdNumberField({ data, form, readings }: Shared & { data: VerificationData }) {
  const { idNumber, idFrontId } = form.draft
  return (
    <div className={styles.read}>
      <Field
        form={form}
        name="idNumber"
        label={FIELDS.idNumber.label}
        required
        group={idNumber === null}
        hint={
          idFrontId === null ? (
            FORM_REFUSALS.ID_NUMBER_NEEDS_PAPER
          ) : idNumber === null ? undefined : (
            <OriginHint readings={readings} name="idNumber" />
          )
        }
      >
        {control =>
          idNumber === null ? (
            <span className={styles.kept} id={control.id}>
              <IdNumber data={data} />
              <Button kind="link" changes onClick={() => form.change({ idNumber: '' })}>
                修改号码
              </Button>
            </span>
          ) : (
            <TextInput
              {...control}
              value={idNumber}
              disabled={idFrontId === null}
              maxLength={VERIFICATION_LIMITS.idNumber}
              onChange={text => form.change({ idNumber: text })}
            />
          )
        }
      </Field>
      <Offer form={form} readings={readings} name="idNumber" />
    </div>
  )
}

type PaperProps = Shared & { data: VerificationData; uploads: Uploads; name: PaperName }

/** A paper, and what its reader said. */
export function PaperPart({ data, form, readings, uploads, name }: PaperProps) {
  const id = form.draft[name]
  const reading = readings.of(name)
  return (
    <div>
      <DocumentField
        form={{
          ...form,
          change: changed => {
            form.change(changed)
            const picked = changed[name]
            if (typeof picked === 'number') readings.read(name, picked)
          },
        }}
        name={name}
        merchantId={data.merchantId}
        kind={PAPERS[name]}
        uploads={uploads}
        required
      />
      <div className={styles.notes} aria-live="polite">
        {readings.isReading(name) && <span className={look.quiet}>正在识别…</span>}
        {reading && !readings.isReading(name) && (
          <>
            {reading.problem === null && (
              <span className={look.quiet}>
                {READERS[reading.reader]}已识别{reading.isWeak && '，仅供参考，请逐项核对'}
              </span>
            )}
            <ReadingNotes {...reading} />
            {reading.mayAsk && id !== null && (
              <Button kind="link" changes onClick={() => readings.read(name, id)}>
                重新识别
              </Button>
            )}
          </>
        )}
      </div>
    </div>
  )
}
