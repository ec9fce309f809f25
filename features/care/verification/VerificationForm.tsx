import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeField } from '#features/shops/messages/CodeField.tsx'
import { formatDay } from '#kit/time.ts'
import { isMainlandMobile } from '#kit/words/phone.ts'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { CloseButton, Dialog } from '#web/form/Dialog.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormNote } from '#web/form/FormDialog.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextField } from '#web/form/TextField.tsx'
import { type Form, useForm } from '#web/form/useForm.ts'
import { VERIFICATION_FIELDS as FIELDS } from './fields.ts'
import { IdNumberField, PaperPart, ReadField } from './ReadField.tsx'
import {
  brokenSubmission,
  FORM_REFUSALS,
  VERIFICATION_LIMITS as LIMITS,
  type VerificationForm as Values,
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
  const [hasNumber, setHasNumber] = useState(data.idNumberMasked !== '')
  const sent = (draft: Values) => ({ ...draft, merchantId: data.merchantId, revision, requestId })
  const form = useForm<Values>({
    initial: initialOf(data),
    judge: draft =>
      uploads.broken() ??
      brokenSubmission(draft, { keptNumber: hasNumber, today: formatDay(new Date()) }).map(
        ({ field, code }) => ({ field, message: messageFor(field, code) }),
      ),
    send: draft => verificationApi.submit(sent(draft)),
    onDone: async () => {
      toast.success(`已提交审核，${data.hours} 小时内给出结果`)
      await reread()
      onClose()
    },
  })
  const readings = useReadings(data, form)
  const save = useMutation({
    mutationFn: () => verificationApi.save(sent(form.draft)),
    onSuccess: saved => {
      setRevision(saved.revision)
      setHasNumber(form.draft.idNumber === null ? hasNumber : form.draft.idNumber.trim() !== '')
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
      <form
        noValidate
        className={styles.form}
        onSubmit={event => {
          event.preventDefault()
          event.stopPropagation()
          void form.submit()
        }}
      >
        <Standing data={data} />
        <FormNote>
          图片与证件号码加密保存，每次查看都有记录。
          {data.reader
            ? '上传证件后自动识别并填入空白项，已填的内容不会被改动。'
            : '未开通证件识别，请手工填写。'}
        </FormNote>
        <Parts {...{ data, form, readings, uploads }} />
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
      </form>
    </Dialog>
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
                : '选填，验证后审核更快'
            }
          >
            {control => (
              <CodeField
                {...control}
                merchantId={data.merchantId}
                purpose="identity"
                phone={phone.trim()}
                refusal={isMainlandMobile(phone.trim()) ? null : FORM_REFUSALS.PHONE_REQUIRED}
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
            hint="短信开头【】中的名称，最多11字"
          />
        </div>
      </section>
    </>
  )
}

function messageFor(field: string, code: keyof typeof FORM_REFUSALS): string {
  if (code !== 'TEXT_TOO_LONG') return FORM_REFUSALS[code]
  const { label = '', max = 0 } = (FIELDS as Record<string, { label?: string; max?: number }>)[field] ?? {}
  return `${label}不得超过${max}字`
}

function initialOf(data: VerificationData): Values {
  const { company, creditCode, legalPerson, personInCharge, signature, phone } = data
  const idOf = (name: string) => data.papers.find(one => one.name === name)?.id ?? null
  return {
    ...{ company, creditCode, legalPerson, personInCharge, signature, phone },
    ...{ licenceId: idOf('licenceId'), idFrontId: idOf('idFrontId'), idBackId: idOf('idBackId') },
    ...{ idNumber: data.idNumberMasked === '' ? '' : null, code: '' },
  }
}
