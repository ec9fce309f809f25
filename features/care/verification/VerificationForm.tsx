import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { CodeField } from '#features/shops/messages/CodeField.tsx'
import { formatDay } from '#kit/time.ts'
import { cleanPhone } from '#kit/words/cleaned.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormNote } from '#web/form/FormDialog.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextField, TextInput } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import { VERIFICATION_FIELDS as FIELDS } from './fields.ts'
import { IdNumberField, PaperPart, ReadField } from './ReadField.tsx'
import {
  brokenSubmission,
  explanationField,
  FORM_REFUSALS,
  VERIFICATION_LIMITS as LIMITS,
  unanswered,
  type VerificationForm as Values,
  type Warning,
} from './rules.ts'
import { type Readings, useReadings } from './useReadings.tsx'
import { Standing } from './VerificationFacts.tsx'
import styles from './verification.module.css'
import { type VerificationData, verificationApi } from './verificationApi.tsx'

type Props = { data: VerificationData; requestId: number | null; onClose: () => void }

/** Filled in by hand or read of the papers beside; kept as a draft, or handed in. */
export default function VerificationForm({ data, requestId, onClose }: Props) {
  const uploads = useUploads()
  // Of what was saved from here: what others save meanwhile is told when this is sent.
  const [revision, setRevision] = useState(data.revision)
  const [warnings, setWarnings] = useState(data.warnings)
  const [hasNumber, setHasNumber] = useState(data.idNumberMasked !== '')
  const sent = (draft: Values) => ({ ...draft, merchantId: data.merchantId, revision, requestId })
  // No fields: its values are read from papers and stand beside what was read.
  const form = useForm<Values>({
    initial: initialOf(data),
    judge: draft =>
      uploads.broken() ??
      brokenSubmission(draft, { keptNumber: hasNumber, today: formatDay(new Date()) }).map(
        ({ field, code }) => ({ field, message: messageFor(field, code) }),
      ),
    // Kept first: what speaks against the data is found out by the server, and must be explained before they are handed in.
    send: async draft => {
      const kept = await verificationApi.save(sent(draft))
      took(kept)
      if (unanswered(kept.warnings, draft.explanations).length > 0) throw new Unexplained(kept.warnings)
      await verificationApi.submit({ ...sent(draft), revision: kept.revision, code: '' })
    },
    onRefused: error => {
      if (!(error instanceof Unexplained)) return false
      const [first] = unanswered(error.warnings, form.draft.explanations)
      if (first)
        form.refuse({ field: explanationField(first.key), message: FORM_REFUSALS.WARNING_UNEXPLAINED })
      return true
    },
    onDone: async () => {
      toast.success(`已提交审核，${data.hours} 小时内给出结果`)
      await reread()
      onClose()
    },
  })
  const took = (kept: Pick<VerificationData, 'revision' | 'warnings'>) => {
    setRevision(kept.revision)
    setHasNumber(form.draft.idNumber === null ? hasNumber : form.draft.idNumber.trim() !== '')
    // Drawn at once: the one that is to be explained gets the cursor.
    flushSync(() => setWarnings(kept.warnings))
  }
  const readings = useReadings(data, form)
  const save = useMutation({
    mutationFn: () => verificationApi.save(sent(form.draft)),
    onSuccess: saved => {
      took(saved)
      const kept = { ...form.draft, code: '' }
      form.rebase(kept, kept)
      toast.success('草稿已保存')
    },
    onError: error => toast.error(messageOf(error)),
  })
  useLeaveGuard(form.isUnsaved)
  const close = () => {
    readAgain('verification')
    onClose()
  }
  return (
    <Dialog
      title={`实名资料 · ${data.shopName}`}
      width={880}
      busy={form.busy}
      dirty={form.dirty}
      onClose={close}
    >
      <FormElement className={styles.form} onSubmit={() => void form.submit()}>
        <Standing data={data} />
        <FormNote>
          图片与证件号码加密保存，每次查看都有记录。
          {data.reader
            ? '上传证件后自动识别并填入空白项，已填的内容不会被改动。'
            : '未开通证件识别，请手工填写。'}
        </FormNote>
        <Parts {...{ data, form, readings, uploads }} />
        <Explanations warnings={warnings} form={form} />
        <p className={styles.message} role="alert">
          {form.message}
        </p>
        <ActionBar>
          <CloseButton />
          <Button
            changes
            busy={save.isPending}
            disabled={readings.busy ? '证件识别中，请稍候' : null}
            onClick={() => save.mutate()}
          >
            保存草稿
          </Button>
          <Button
            kind="primary"
            type="submit"
            busy={form.busy}
            disabled={readings.busy ? '证件识别中，请稍候' : null}
          >
            提交审核
          </Button>
        </ActionBar>
      </FormElement>
    </Dialog>
  )
}

/** Something speaks against the data that nobody has explained. */
class Unexplained extends Error {
  readonly warnings: readonly Warning[]

  constructor(warnings: readonly Warning[]) {
    super(FORM_REFUSALS.WARNING_UNEXPLAINED)
    this.warnings = warnings
  }
}

function Explanations({ warnings, form }: { warnings: readonly Warning[]; form: Form<Values> }) {
  if (warnings.length === 0) return null
  return (
    <section className={styles.warnings} aria-label="需要说明的提示">
      <h4>以下提示请更正，或说明原因</h4>
      {warnings.map(({ key, text }) => (
        <Field key={key} form={form} name={explanationField(key)} label={text} required>
          {control => (
            <TextInput
              {...control}
              maxLength={LIMITS.explanation}
              placeholder="请说明原因"
              value={form.draft.explanations[key] ?? ''}
              onChange={explanation =>
                form.change({ explanations: { ...form.draft.explanations, [key]: explanation } })
              }
            />
          )}
        </Field>
      ))}
    </section>
  )
}

type PartsProps = {
  data: VerificationData
  form: Form<Values>
  readings: Readings
  uploads: ReturnType<typeof useUploads>
}

function Parts({ data, form, readings, uploads }: PartsProps) {
  const paper = { data, form, readings, uploads }
  const { phone } = form.draft
  const mayAsk = usePermission('approvals.request')
  return (
    <>
      <section className={styles.beside} aria-label="企业信息">
        <div className={styles.papers}>
          <PaperPart {...paper} name="licenceId" />
        </div>
        <div>
          <ReadField {...{ form, readings }} name="company" />
          <ReadField {...{ form, readings }} name="creditCode" />
          <ReadField {...{ form, readings }} name="legalPerson" />
        </div>
      </section>
      <section className={styles.beside} aria-label="责任人信息">
        <div className={styles.papers}>
          <PaperPart {...paper} name="idFrontId" />
          <PaperPart {...paper} name="idBackId" />
        </div>
        <div>
          <ReadField {...{ form, readings }} name="personInCharge" />
          <IdNumberField {...{ data, form, readings }} />
          <TextField
            form={form}
            name="phone"
            label={FIELDS.phone.label}
            required
            digits
            inputMode="tel"
            maxLength={LIMITS.phone}
          />
          <Field
            form={form}
            name="code"
            label="手机验证码"
            hint={
              data.phoneVerifiedAt && phone === data.phone
                ? '该手机号已核实，无需再次验证'
                : '选填；不验证须说明原因'
            }
          >
            {control => (
              <CodeField
                {...control}
                merchantId={data.merchantId}
                purpose="identity"
                phone={cleanPhone(phone)}
                refusal={isMainlandMobile(cleanPhone(phone)) ? null : FORM_REFUSALS.PHONE_REQUIRED}
                value={form.draft.code}
                onChange={code => form.change({ code })}
              />
            )}
          </Field>
          <TextField
            form={form}
            name="signature"
            label={FIELDS.signature.label}
            required
            maxLength={LIMITS.signature}
            hint={signatureHint(data, form.draft.signature.trim(), mayAsk)}
          />
        </div>
      </section>
    </>
  )
}

/** What becomes of the signature once the data are handed in. */
function signatureHint({ standingSignature: standing }: VerificationData, typed: string, mayAsk: boolean) {
  if (typed === standing && typed !== '') return '与现在使用的短信签名相同'
  return mayAsk
    ? `短信开头【】中的名称，${LIMITS.signature}字以内；提交审核时一并申请为短信签名，通过后生效`
    : `${LIMITS.signature}字以内；仅供审核，不会改变现在使用的短信签名`
}

function messageFor(field: string, code: keyof typeof FORM_REFUSALS): string {
  if (code !== 'TEXT_TOO_LONG' && code !== 'NAME_SYMBOLS') return FORM_REFUSALS[code]
  if (field.startsWith('explanations.')) return `说明不得超过${LIMITS.explanation}字`
  const { label = '', max = 0 } = (FIELDS as Record<string, { label?: string; max?: number }>)[field] ?? {}
  return code === 'NAME_SYMBOLS' ? `${label}${FORM_REFUSALS.NAME_SYMBOLS}` : `${label}不得超过${max}字`
}

function initialOf(data: VerificationData): Values {
  const { company, creditCode, legalPerson, personInCharge, signature, phone } = data
  const idOf = (name: string) => data.papers.find(one => one.name === name)?.id ?? null
  return {
    ...{ company, creditCode, legalPerson, personInCharge, signature, phone },
    ...{ licenceId: idOf('licenceId'), idFrontId: idOf('idFrontId'), idBackId: idOf('idBackId') },
    ...{ idNumber: data.idNumberMasked === '' ? '' : null, code: '' },
    explanations: Object.fromEntries(data.warnings.map(({ key, explanation }) => [key, explanation])),
  }
}
