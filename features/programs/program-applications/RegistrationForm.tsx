import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DocumentField } from '#features/care/documents/DocumentField.tsx'
import { VERIFICATION_FIELDS } from '#features/care/verification/fields.ts'
import { messageOf } from '#web/client/api.ts'
import { useNavigate } from '#web/client/navigation.ts'
import { reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { toast } from '#web/controls/toast.ts'
import { ActionBar } from '#web/form/ActionBar.tsx'
import { FormElement } from '#web/form/FormElement.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { useLeaveGuard } from '#web/form/leave.ts'
import { TextInput } from '#web/form/TextField.tsx'
import { type FormOf, useFormOf } from '#web/form/useFormOf.ts'
import { Reason } from './ApplicationFacts.tsx'
import styles from './applications.module.css'
import { type CategoryChoice, CategoryFields, certificatesOf, knownOf } from './CategoryFields.tsx'
import { REGISTRATION } from './fields.ts'
import { type ApplicationData, programApplicationsApi } from './programApplicationsApi.tsx'
import {
  brokenChoices,
  brokenTexts,
  FORM_REFUSALS,
  LIMITS,
  PAPER_NAMES,
  PAPERS,
  type PaperName,
} from './rules.ts'
import { useNameCheck } from './useNameCheck.tsx'

type More = Record<PaperName, number | null> & CategoryChoice
type RegistrationFormState = FormOf<typeof REGISTRATION, More>

const HEAD_IMAGE = { hint: '须为正方形', mostBytes: LIMITS.headImageBytes }

/** Kept as a draft or handed in; what waits for staff is mended by them. */
export default function RegistrationForm({ data }: { data: ApplicationData }) {
  const navigate = useNavigate()
  // Of what was saved from here: what others save meanwhile is told when this is sent.
  const [revision, setRevision] = useState(data.revision)
  const list = useQuery(programApplicationsApi.categories.query())
  const categories = list.data?.categories ?? []
  const name = useNameCheck()
  const isKept = data.legalPersonWechatMasked !== ''
  const isPending = data.state === 'pending'
  const form: RegistrationFormState = useFormOf<typeof REGISTRATION, More>({
    of: REGISTRATION,
    known: { ...data, legalPersonWechat: '' },
    more: moreOf(data),
    tellsAll: true,
    refuse: values => [
      ...brokenTexts(values, isKept).map(told),
      ...name.broken(values.programName),
      ...brokenChoices(chosenOf(values), knownOf(categories, values.categoryId)).map(told),
    ],
    send: values =>
      isPending ? programApplicationsApi.save(sent(values)) : programApplicationsApi.submit(sent(values)),
    onDone: async () => {
      form.rebase(form.draft, form.draft)
      toast.success(isPending ? '修改成功' : `提交成功，${data.hours} 小时内给出结果`)
      await reread()
      void navigate({ to: '/admin/schedule/appApplication' })
    },
  })
  const sent = (values: ReturnType<RegistrationFormState['meant']>) => ({
    ...{ ...values, ...chosenOf(values), merchantId: data.merchantId, revision },
  })
  const save = useMutation({
    mutationFn: () => programApplicationsApi.save(sent(form.meant())),
    onSuccess: saved => {
      setRevision(saved.revision)
      form.rebase(form.draft, form.draft)
      toast.success('草稿已保存')
    },
    onError: error => toast.error(messageOf(error)),
  })
  useLeaveGuard(form.isUnsaved)
  const { tones, words } = VERIFICATION_FIELDS.state
  return (
    <>
      <Reason data={data} />
      <FormElement onSubmit={() => void form.submit()}>
        <section className={styles.part} aria-label="主体资料">
          <h2>主体资料</h2>
          {data.revision === 0 && data.companyName !== '' && tones[data.verificationStatus] !== 'neutral' && (
            <p className={styles.note}>已带出店铺的实名资料（{words[data.verificationStatus]}），请核对。</p>
          )}
          <FormFields
            form={form}
            only={['companyName', 'companyCode', 'legalPersonWechat', 'legalPersonName', 'servicePhone']}
            told={{
              legalPersonWechat: {
                required: !isKept,
                placeholder: isKept ? `已保存 ${data.legalPersonWechatMasked}，不修改请留空` : '',
                hint: '法人本人的微信号，用于人脸核身，不是昵称',
              },
            }}
          />
        </section>
        <section className={styles.part} aria-label="小程序资料">
          <h2>小程序资料</h2>
          <FormFields
            form={form}
            only={['programName', 'programType', 'intro']}
            told={{
              programName: {
                hint: name.hintOf(form.draft.programName, REGISTRATION.programName.control.hint),
              },
            }}
          >
            {{
              programName: control => (
                <TextInput
                  {...control}
                  value={form.draft.programName}
                  onChange={programName => form.change({ programName })}
                  onBlur={() => {
                    control.onBlur()
                    name.ask(form.draft.programName)
                  }}
                />
              ),
            }}
          </FormFields>
          <CategoryFields form={form} categories={list.data?.categories} merchantId={data.merchantId} />
        </section>
        <section className={styles.part} aria-label="图片资料">
          <h2>图片资料</h2>
          <p className={styles.note}>店铺已有的资料已经带出，可直接使用；点击更换即可重新拍照或选择图片。</p>
          <div className={styles.papers}>
            {PAPER_NAMES.map(paper => (
              <DocumentField<PaperName>
                key={paper}
                form={form}
                name={paper}
                merchantId={data.merchantId}
                kind={PAPERS[paper]}
                purpose="miniProgram"
                {...(paper === 'headImageId' ? HEAD_IMAGE : {})}
                uploads={form.uploads}
                required
              />
            ))}
          </div>
        </section>
        <p className={styles.message} role="alert">
          {form.message}
        </p>
        <ActionBar>
          {!isPending && (
            <Button
              changes
              busy={save.isPending}
              onClick={() => {
                // A picture on its way would not be in the draft that is said to be saved.
                const onItsWay = form.uploads.broken()
                if (onItsWay) toast.warning(onItsWay.message)
                else save.mutate()
              }}
            >
              保存草稿
            </Button>
          )}
          <Button kind="primary" type="submit" busy={form.busy}>
            {isPending ? '保存修改' : '确认提交'}
          </Button>
        </ActionBar>
      </FormElement>
    </>
  )
}

const told = ({ field, code }: { field: string; code: keyof typeof FORM_REFUSALS }) => ({
  field,
  message: FORM_REFUSALS[code],
})

function moreOf(data: ApplicationData): More {
  const papers = PAPER_NAMES.map(name => [name, data.papers.find(one => one.name === name)?.id ?? null])
  return {
    ...(Object.fromEntries(papers) as Record<PaperName, number | null>),
    categoryId: data.categoryId,
    alternative: String(data.alternative),
    certificates: Object.fromEntries(data.certificates.map(({ name, id }) => [name, id])),
  }
}

function chosenOf({ alternative, certificates, ...more }: More) {
  const { headImageId, idFrontId, idBackId, licenceId, categoryId } = more
  return {
    ...{ headImageId, idFrontId, idBackId, licenceId, categoryId, alternative: Number(alternative) },
    certificates: certificatesOf(certificates),
  }
}
