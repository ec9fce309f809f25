import { useMutation } from '@tanstack/react-query'
import { lazy, type ReactNode, useState } from 'react'
import { DocumentField } from '#features/care/documents/DocumentField.tsx'
import RegionPicker from '#features/office/regions/RegionPicker.tsx'
import { messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { usePermission } from '#web/client/session.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { useUploads } from '#web/form/files/uploads.ts'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextField } from '#web/form/TextField.tsx'
import { useForm } from '#web/form/useForm.ts'
import { IdentityFacts, Reasons } from './ApplicationFacts.tsx'
import styles from './applications.module.css'
import { type ApplicationData, applicationsApi } from './applicationsApi.tsx'
import { BankFields } from './BankFields.tsx'
import { APPLICATION_FIELDS as FIELDS } from './fields.ts'
import { PaperReading } from './PaperReading.tsx'
import {
  type ApplicationForm,
  brokenApplication,
  FORM_REFUSALS,
  LIMITS,
  PAPER_NAMES,
  PAPERS,
  PAY_TYPE_KEYS,
  PAY_TYPES,
  type PaperName,
  papersFor,
} from './rules.ts'

const VerificationDialog = lazy(() => import('#features/care/verification/VerificationDialog.tsx'))

type Props = {
  data: ApplicationData
  /** What stands between why it was sent back and the form. */
  children?: ReactNode
}

/** Kept as a draft, or handed in. */
export default function SubmitForm({ data, children }: Props) {
  const navigate = useNavigate()
  const uploads = useUploads()
  // Of what was saved from here: what others save meanwhile is told when this is sent.
  const [revision, setRevision] = useState(data.revision)
  const [identifying, setIdentifying] = useState(false)
  const maySeeIdentity = usePermission('verification.view')
  const sent = ({ merchantId: _, ...draft }: ApplicationForm) => ({
    ...draft,
    merchantId: data.merchantId,
    revision,
  })
  // No fields: its papers are chosen and read, and a branch follows from the bank and its region.
  const form = useForm<ApplicationForm>({
    initial: initialOf(data),
    judge: draft =>
      uploads.broken() ??
      brokenApplication(draft).map(({ field, code }) => ({ field, message: messageFor(field, code) })),
    send: draft => applicationsApi.submit(sent(draft)),
    onDone: async () => {
      const kept = form.draft
      form.rebase(kept, kept)
      toast.success(`已提交，${data.hours} 小时内给出结果`)
      await reread()
      void navigate({ to: '/admin/schedule/payApplication' })
    },
  })
  const save = useMutation({
    mutationFn: () => applicationsApi.save(sent(form.draft)),
    onSuccess: saved => {
      setRevision(saved.revision)
      const kept = form.draft
      form.rebase(kept, kept)
      toast.success('草稿已保存')
    },
    onError: error => toast.error(messageOf(error)),
  })
  useLeaveGuard(form.isUnsaved)
  const { draft } = form
  return (
    <>
      <Reasons data={data} onField={form.focus} />
      {children}
      <FormElement onSubmit={() => void form.submit()}>
        <section className={styles.part} aria-label="实名资料">
          <div className={styles.partHead}>
            <h2>实名资料</h2>
            {maySeeIdentity && (
              <Button kind="link" onClick={() => setIdentifying(true)}>
                查看或填写
              </Button>
            )}
          </div>
          <IdentityFacts data={data} />
        </section>
        <section className={styles.part} aria-label="收款账户">
          <h2>收款账户</h2>
          <ChoiceField
            form={form}
            name="payType"
            label={FIELDS.payType.label}
            options={PAY_TYPE_KEYS.map(value => ({ value, label: PAY_TYPES[value] }))}
          />
          <div className={styles.pair}>
            <TextField
              form={form}
              name="phone"
              label={FIELDS.phone.label}
              required
              inputMode="tel"
              maxLength={LIMITS.phone}
            />
            <TextField
              form={form}
              name="email"
              label={FIELDS.email.label}
              required
              inputMode="email"
              maxLength={LIMITS.email}
            />
          </div>
          <Field form={form} name="bankRegion" label={FIELDS.regionName.label} required>
            {control => (
              <RegionPicker
                {...control}
                value={draft.bankRegion}
                onChange={bankRegion => form.change({ bankRegion, branchName: '', branchNumber: '' })}
              />
            )}
          </Field>
          <BankFields form={form} typesNumber />
        </section>
        <section className={styles.part} aria-label="图片资料">
          <h2>图片资料</h2>
          <p className={styles.note}>店铺已有的资料已经带出，可直接使用；点击更换即可重新拍照或选择图片。</p>
          <div className={styles.papers}>
            {papersFor(draft.payType).map(name => (
              <div key={name}>
                <DocumentField<PaperName>
                  form={form}
                  name={name}
                  merchantId={data.merchantId}
                  kind={PAPERS[name]}
                  purpose="paymentApplication"
                  uploads={uploads}
                  required
                />
                <PaperReading name={name} id={draft[name]} data={data} />
              </div>
            ))}
          </div>
        </section>
        <p className={styles.message} role="alert">
          {form.message}
        </p>
        <ActionBar>
          <Button
            changes
            busy={save.isPending}
            onClick={() => {
              // A picture on its way would not be in the draft that is said to be saved.
              const onItsWay = uploads.broken()
              if (onItsWay) toast.warning(onItsWay.message)
              else save.mutate()
            }}
          >
            保存草稿
          </Button>
          <Button kind="primary" type="submit" busy={form.busy}>
            提交
          </Button>
        </ActionBar>
        <Suspense>
          {identifying && (
            <VerificationDialog
              merchantId={data.merchantId}
              requestId={null}
              onClose={() => {
                setIdentifying(false)
                void reread()
              }}
            />
          )}
        </Suspense>
      </FormElement>
    </>
  )
}

function messageFor(field: string, code: keyof typeof FORM_REFUSALS): string {
  if (code !== 'TEXT_TOO_LONG' && code !== 'TEXT_SYMBOLS') return FORM_REFUSALS[code]
  const { label = '', max = 0 } = (FIELDS as Record<string, { label?: string; max?: number }>)[field] ?? {}
  return code === 'TEXT_SYMBOLS' ? `${label}${FORM_REFUSALS.TEXT_SYMBOLS}` : `${label}不得超过${max}字`
}

function initialOf(data: ApplicationData): ApplicationForm {
  const { merchantId, payType, phone, email, bankRegion, bankName, bankCode, branchName, branchNumber } = data
  const ids = PAPER_NAMES.map(name => [name, data.papers.find(paper => paper.name === name)?.id ?? null])
  return {
    ...{ merchantId, payType, phone, email, bankRegion, bankName, bankCode, branchName, branchNumber },
    ...(Object.fromEntries(ids) as Record<PaperName, number | null>),
  }
}
