import { FORM_REFUSALS } from '#features/programs/program-applications/rules.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { INTRO } from './fields.ts'
import { programProfileApi as from, type ProfileData } from './programProfileApi.tsx'
import { brokenPart } from './rules.ts'

type Props = { data: ProfileData; onClose: () => void }

export default function IntroDialog({ data: { id, parts, proposed }, onClose }: Props) {
  const change = parts.find(({ part }) => part === 'intro')?.change
  return (
    <FormDialog
      title="提交小程序简介"
      submitText="提交审核"
      of={INTRO}
      known={{ intro: proposed.intro }}
      refuse={({ intro }) =>
        brokenPart('intro', intro).map(({ field, code }) => ({ field, message: FORM_REFUSALS[code] }))
      }
      send={({ intro }) => from.setIntro({ id, intro })}
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
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
