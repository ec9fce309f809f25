// Short things that are said of it: its number, how the merchant stands, a remark.

import { ACQUIRERS } from '#kit/ports/acquirers.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { type AcquirerData, acquirerApi } from './acquirerApi.tsx'
import { CODE, REMARK, STANDING } from './fields.ts'
import { brokenCode, type MerchantStanding } from './rules.ts'

type Props = { data: AcquirerData; onClose: () => void }

async function said(saying: Promise<unknown>): Promise<void> {
  await saying.catch((error: unknown) => {
    readAgain('acquirerOnboardings')
    throw error
  })
  toast.success('已保存')
  await reread()
}

export function CodeDialog({ data, onClose }: Props) {
  const { id, revision, channel, code } = data
  return (
    <FormDialog
      title="填写商户编号"
      submitText="保存"
      of={CODE}
      known={{ code }}
      refuse={values => {
        const message = brokenCode(channel, values.code)
        return message === null ? null : { field: 'code', message }
      }}
      send={values => said(acquirerApi.setCode({ id, revision, code: values.code }))}
      onClose={onClose}
    >
      {form => (
        <FormFields
          form={form}
          told={{ code: { hint: `渠道给出的商户编号，${ACQUIRERS[channel].code.patternWords}` } }}
        />
      )}
    </FormDialog>
  )
}

export function StandingDialog({ data, onClose }: Props) {
  const { id, revision, merchantStatus } = data
  return (
    <FormDialog
      title="变更商户状态"
      submitText="保存"
      of={STANDING}
      known={{ merchantStatus }}
      send={values =>
        said(
          acquirerApi.setMerchantStatus({
            ...{ id, revision },
            merchantStatus: values.merchantStatus as MerchantStanding,
          }),
        )
      }
      onClose={onClose}
    />
  )
}

export function RemarkDialog({ data, onClose }: Props) {
  const { id, revision, remark } = data
  return (
    <FormDialog
      title="修改备注"
      submitText="保存"
      of={REMARK}
      known={{ remark }}
      send={values => said(acquirerApi.setRemark({ id, revision, remark: values.remark }))}
      onClose={onClose}
    />
  )
}
