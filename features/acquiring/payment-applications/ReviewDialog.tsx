import { readAgain, reread } from '#web/client/reread.ts'
import { PhoneNumber } from '#web/controls/format.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import styles from './applications.module.css'
import { type ApplicationData, applicationsApi } from './applicationsApi.tsx'
import { APPLICATION_FIELDS as FIELDS, REVIEW } from './fields.ts'
import { type ReviewState, refuseNote, STEP_REFUSALS } from './rules.ts'

type Props = { id: number; data: ApplicationData; onClose: () => void }

/** How far the payment service is with it, as the reviewer sets it (D2 §2 20). */
export default function ReviewDialog({ id, data, onClose }: Props) {
  return (
    <FormDialog
      title="更新受理状态"
      submitText="保存"
      cancelText="返回"
      of={REVIEW}
      known={{ reviewState: data.reviewState ?? 'waiting', reviewNote: data.reviewNote }}
      refuse={({ reviewState, reviewNote }) => {
        const code = refuseNote(reviewState as ReviewState, reviewNote)
        return code && { field: 'reviewNote', message: STEP_REFUSALS[code] }
      }}
      send={async ({ reviewState, reviewNote }) => {
        await applicationsApi
          .review({ id, revision: data.revision, reviewState: reviewState as ReviewState, reviewNote })
          .catch((error: unknown) => {
            readAgain('paymentApplications')
            throw error
          })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <div className={styles.brief}>
            <Facts>
              <Fact label={FIELDS.merchantId.label}>{String(data.merchantId)}</Fact>
              <Fact label={FIELDS.shopName.label}>{data.shopName}</Fact>
              <Fact label={FIELDS.phone.label}>{data.phone && <PhoneNumber number={data.phone} />}</Fact>
            </Facts>
          </div>
          <FormFields form={form} />
        </>
      )}
    </FormDialog>
  )
}
