import { DocumentField } from '#features/care/documents/DocumentField.tsx'
import { FORM_REFUSALS, LIMITS } from '#features/programs/program-applications/rules.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { programProfileApi as from, type ProfileData } from './programProfileApi.tsx'

type Props = { data: ProfileData; onClose: () => void }
const NOTHING = {}

/** The picture: a square, counted by the platform. */
export default function HeadImageDialog({ data: { id, merchantId, parts, proposed }, onClose }: Props) {
  const { change, left, quota } = parts.find(({ part }) => part === 'headImage') ?? {}
  return (
    <FormDialog<typeof NOTHING, { headImageId: number | null }>
      title="提交小程序头像"
      submitText="提交审核"
      of={NOTHING}
      more={{ headImageId: proposed.headImageId }}
      refuse={({ headImageId }) =>
        headImageId === null ? { field: 'headImageId', message: FORM_REFUSALS.HEAD_IMAGE_REQUIRED } : null
      }
      send={({ headImageId }) => from.setHeadImage({ id, documentId: headImageId ?? 0 })}
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
          {left != null && quota != null && (
            <FormNote>
              头像的修改次数有限，本月还可修改 {left} 次，共 {quota} 次。
            </FormNote>
          )}
          <DocumentField<'headImageId'>
            form={form}
            name="headImageId"
            merchantId={merchantId}
            kind="headImage"
            purpose="miniProgram"
            hint="须为正方形"
            mostBytes={LIMITS.headImageBytes}
            uploads={form.uploads}
            required
          />
        </>
      )}
    </FormDialog>
  )
}
