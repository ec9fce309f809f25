import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Check } from '#web/form/Check.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { Upload } from '#web/form/files/Upload.tsx'
import { TextInput } from '#web/form/TextField.tsx'
import { approvalsApi } from './approvalsApi.tsx'
import { REQUEST } from './fields.ts'
import {
  APPROVAL_KINDS,
  APPROVAL_LIMITS,
  APPROVAL_PICTURE,
  type ApprovalKind,
  brokenIn,
  REQUEST_REFUSALS,
  refuseRequest,
} from './rules.ts'

type Props = {
  merchantId: number
  kind: ApprovalKind
  /** What the shop has now. */
  standing: string
  /** What waits already and would be replaced. */
  waiting: string | null
  hours: number
  onClose: () => void
}

const HINTS: Record<ApprovalKind, string> = {
  signature: '汉字、字母和数字，2 至 12 字为宜，须能识别商户',
  shopName: '最多30字，通过后替换现在的店铺名称',
  memberTitle: '最多10字，例如会员、贵宾',
}

/** Asks for one of the three. */
export default function RequestDialog({ merchantId, kind, standing, waiting, hours, onClose }: Props) {
  const label = APPROVAL_KINDS[kind]
  return (
    <FormDialog
      title={`申请修改${label}`}
      submitText="提交申请"
      of={REQUEST}
      refuse={({ content, note }) => {
        const broken = brokenIn({ kind, content, note })
        if (broken.length > 0)
          return broken.map(({ field, code }) => ({ field, message: REQUEST_REFUSALS[code] }))
        const code = refuseRequest(content.trim(), { standing, waiting, sentToday: 0, perDay: 1 })
        return code && { field: 'content', message: REQUEST_REFUSALS[code] }
      }}
      send={async values => {
        await approvalsApi.request({ merchantId, kind, ...values })
        toast.success(`已提交，${hours} 小时内给出结果`)
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>
            现在使用：{standing || '无'}
            {waiting !== null && `。「${waiting}」正在等待审批，提交后由新的申请替代`}
          </FormNote>
          <FormFields
            form={form}
            only={['content']}
            told={{ content: { label: `新的${label}`, required: true, hint: HINTS[kind] } }}
          >
            {{
              content: control => (
                <TextInput
                  {...control}
                  data-autofocus
                  count={APPROVAL_LIMITS[kind]}
                  value={form.draft.content}
                  onChange={content => form.change({ content })}
                />
              ),
            }}
          </FormFields>
          <FormFields form={form} only={['note']} />
          <Upload
            id={form.idOf('pictureId')}
            value={form.draft.pictureId}
            onChange={pictureId => form.change({ pictureId })}
            purpose={APPROVAL_PICTURE}
            label={REQUEST.pictureId.label}
            onlyOne="只能上传一张图片"
            hint="选填，例如营业执照或门头照片"
            onBusy={form.uploads.at('pictureId')}
          />
          <Check checked={form.draft.bySms} onChange={bySms => form.change({ bySms })}>
            {REQUEST.bySms.label}
          </Check>
        </>
      )}
    </FormDialog>
  )
}
