import { formatCount } from '#kit/money.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { CORRECTION } from './fields.ts'
import { type GroupData, releaseTrainsApi, type TrainData } from './releaseTrainsApi.tsx'
import { TemplatePicker, useTemplates } from './TemplatePicker.tsx'
import styles from './trains.module.css'

type Props = { train: TrainData; group: GroupData; onClose: () => void }

/** One correction for all that were refused alike, and all of them handed in again. */
export default function CorrectionDialog({ train, group, onClose }: Props) {
  const templates = useTemplates()
  const { id, tag, feedback } = train
  return (
    <FormDialog
      title={`修正并重新提交 ${formatCount(group.shops)} 家`}
      submitText="重新提交"
      width={560}
      of={CORRECTION}
      known={{ template: `${train.templateId} ${tag}`, feedback }}
      send={async values => {
        const template = templates.chosen(values.template)
        if (!template) return
        const { templateId, version } = template
        const { state } = await releaseTrainsApi
          .correct({ id, reasonKey: group.reasonKey, templateId, version, feedback: values.feedback })
          .catch((error: unknown) => {
            readAgain('releaseTrains')
            throw error
          })
        toast.success(state === 'running' ? '正在重新提交' : '已加入，继续发布后重新提交')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <p className={styles.told}>
            {group.reason}
            <br />
            将重新设置代码、服务器域名与隐私保护指引，再提交审核。类目或资料不符时，请先在微信公众平台修改。
          </p>
          <FormFields form={form}>
            {{
              template: control => (
                <TemplatePicker
                  {...control}
                  from={templates}
                  tag={tag}
                  value={form.draft.template}
                  onChange={template => form.change({ template })}
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
