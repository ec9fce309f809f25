import { ReasonField } from '#features/office/reference-data/ReasonText.tsx'
import type { Meant } from '#kit/declare/form.ts'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { Day } from '#web/form/dates/Day.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import type { renewals } from './contract.ts'
import type { Row } from './deskCells.tsx'
import { MARK } from './fields.ts'
import { MarkHistory } from './MarkHistory.tsx'
import styles from './renewals.module.css'
import { RENEWAL_REFUSALS, type RenewalRefusal, refuseMark } from './rules.ts'

const renewalsApi = api<typeof renewals>('renewals')

type Values = Meant<typeof MARK>

const FIELDS: Record<RenewalRefusal, keyof Values> = {
  MARK_STATE_REQUIRED: 'state',
  LOST_WHY: 'note',
  NOTE_TOO_LONG: 'note',
  NEXT_IN_PAST: 'nextOn',
}
const PRESET_DAYS = [1, 3, 7, 15]

/** Notes what was agreed with a shop about its renewal; earlier notes stand below. */
export default function MarkDialog({ shop, onClose }: { shop: Row; onClose: () => void }) {
  const today = formatDay(new Date())
  return (
    <FormDialog
      title={`续费跟进：${shop.shopName}`}
      submitText="保存跟进"
      of={MARK}
      known={shop.mark && { state: shop.mark.state }}
      refuse={refuseValues}
      send={async (values, idempotencyKey) => {
        await renewalsApi.mark({ merchantId: shop.id, ...values }, { idempotencyKey })
        toast.success('跟进已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['state']} />
          <ReasonField
            form={form}
            name="note"
            of={form.draft.state === 'lost' ? 'lost' : null}
            label={form.draft.state === 'lost' ? '流失原因' : undefined}
            required={form.draft.state === 'lost'}
          />
          <FormFields form={form} only={['nextOn']}>
            {{
              nextOn: control => (
                <Day
                  {...control}
                  placeholder="选填"
                  value={form.draft.nextOn}
                  onChange={nextOn => form.change({ nextOn })}
                  first={today}
                  presets={PRESET_DAYS.map(days => ({
                    label: days === 1 ? '明天' : `${days} 天后`,
                    day: addDays(today, days),
                  }))}
                />
              ),
            }}
          </FormFields>
          <section className={styles.markDialogHistory} aria-label="跟进记录">
            <h3>跟进记录</h3>
            <MarkHistory merchantId={shop.id} />
          </section>
        </>
      )}
    </FormDialog>
  )
}

function refuseValues(values: Values) {
  const code = refuseMark(values, formatDay(new Date()))
  return code && { field: FIELDS[code], message: RENEWAL_REFUSALS[code] }
}
