import { DocumentUpload } from '#features/care/documents/DocumentField.tsx'
import { FORM_REFUSALS } from '#features/programs/program-applications/rules.ts'
import { useNameCheck } from '#features/programs/program-applications/useNameCheck.tsx'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Field } from '#web/form/Field.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { NAME } from './fields.ts'
import styles from './profile.module.css'
import { programProfileApi as from, type ProfileData } from './programProfileApi.tsx'
import { brokenPart, LIMITS } from './rules.ts'

type Props = { data: ProfileData; onClose: () => void }
type More = { papers: readonly number[] }

/** The name, asked about once its field is left; the licence goes along by itself, papers that prove a right to it where they are wanted. */
export default function NameDialog({ data: { id, merchantId, parts, proposed }, onClose }: Props) {
  const name = useNameCheck(typed => from.checkName({ id, name: typed }))
  const change = parts.find(({ part }) => part === 'name')?.change
  return (
    <FormDialog<typeof NAME, More>
      title="提交小程序名称"
      submitText="提交审核"
      width={560}
      of={NAME}
      known={{ programName: proposed.programName }}
      more={{ papers: [] }}
      tellsAll
      refuse={({ programName }) => [
        ...brokenPart('programName', programName).map(({ field, code }) => ({
          field,
          message: FORM_REFUSALS[code],
        })),
        ...name.broken(programName),
      ]}
      send={({ programName, papers }) => from.setName({ id, programName, papers: [...papers] })}
      onDone={async () => {
        toast.success('提交成功')
        onClose()
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {change?.state === 'refused' && <FormNote>上次未通过：{change.reason}</FormNote>}
          <FormNote>名称由微信审核。小程序发布后不能由平台改名，请核对后提交。</FormNote>
          <FormFields
            form={form}
            told={{
              programName: { hint: name.hintOf(form.draft.programName, NAME.programName.control.hint) },
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
          <div className={styles.papers}>
            {[...form.draft.papers, null].slice(0, LIMITS.naming).map((paper, at) => (
              <Field
                key={paper ?? 'another'}
                form={form}
                name={paper === null ? 'papers' : `papers${at}`}
                label={`证明材料${at + 1}`}
                hint={at === 0 && paper === null ? '名称含有需要证明的词时上传，如商标、授权书' : undefined}
              >
                {({ id: control }) => (
                  <DocumentUpload
                    id={control}
                    merchantId={merchantId}
                    kind="qualification"
                    purpose="miniProgram"
                    label={`证明材料${at + 1}`}
                    value={paper}
                    onChange={picked => {
                      const others = form.draft.papers.filter(one => one !== paper && one !== picked)
                      form.change({ papers: picked === null ? others : [...others, picked] })
                    }}
                    onBusy={form.uploads.at(`papers${at}`)}
                  />
                )}
              </Field>
            ))}
          </div>
        </>
      )}
    </FormDialog>
  )
}
