import { formatDay } from '#kit/time.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Day } from '#web/form/dates/Day.tsx'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { ErasureData } from './contract.ts'
import { erasuresApi } from './erasuresApi.tsx'
import { ASKED } from './fields.ts'
import { refuseAsk, STEP_REFUSALS } from './rules.ts'

type Props = { erasure: ErasureData; onClose: () => void }

/** When and how the person asked, and why; a second operator agrees where there is one. */
export default function AskDialog({ erasure, onClose }: Props) {
  const { id, hasSecond, askedOn, channel, reason } = erasure
  return (
    <FormDialog
      title="删除个人信息"
      submitText={hasSecond ? '提交复核' : '开始删除'}
      danger
      of={ASKED}
      known={{ askedOn, channel, reason }}
      refuse={asked => {
        const broken = refuseAsk(asked, formatDay(new Date()))
        return broken && { field: broken.field, message: STEP_REFUSALS[broken.code] }
      }}
      send={async asked => {
        await erasuresApi.ask({ id, ...asked }).catch((error: unknown) => {
          readAgain('personErasures')
          throw error
        })
        toast.success(hasSecond ? '已提交，等待其他运营人员复核' : '已开始删除')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormNote>勾选的记录会被删除或抹除，不能恢复。须保留的记录会写在删除证明上。</FormNote>
          <FormFields form={form}>
            {{
              askedOn: control => (
                <Day
                  {...control}
                  value={form.draft.askedOn}
                  onChange={day => form.change({ askedOn: day })}
                  allowClear
                />
              ),
            }}
          </FormFields>
        </>
      )}
    </FormDialog>
  )
}
