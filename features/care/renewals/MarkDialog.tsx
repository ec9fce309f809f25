import { ReasonText } from '#features/office/reference-data/ReasonText.tsx'
import { addDays, formatDay } from '#kit/time.ts'
import { api } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { Day } from '#web/form/dates/Day.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { optionsOf } from '#web/form/options.ts'
import type { renewals } from './contract.ts'
import type { Row } from './deskCells.tsx'
import { MarkHistory } from './MarkHistory.tsx'
import styles from './renewals.module.css'
import {
  LIMITS,
  MARK_STATES,
  type MarkState,
  RENEWAL_REFUSALS,
  type RenewalRefusal,
  refuseMark,
} from './rules.ts'

const renewalsApi = api<typeof renewals>('renewals')

type Values = { state: MarkState; note: string; nextOn: string | null }

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
    <FormDialog<Values>
      title={`续费跟进：${shop.shopName}`}
      submitText="保存跟进"
      initial={{ state: shop.mark?.state ?? 'contacted', note: '', nextOn: null }}
      refuse={refuseValues}
      onSubmit={async (values, idempotencyKey) => {
        await renewalsApi.mark(
          {
            merchantId: shop.id,
            state: values.state,
            note: values.note.trim(),
            nextOn: values.nextOn,
          },
          { idempotencyKey },
        )
        toast.success('跟进已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <ChoiceField form={form} name="state" label="跟进结果" options={optionsOf(MARK_STATES)} />
          <ReasonText
            of={form.draft.state === 'lost' ? 'lost' : null}
            form={form}
            name="note"
            label={form.draft.state === 'lost' ? '流失原因' : '跟进说明'}
            rows={2}
            count={LIMITS.note}
            maxLength={500}
          />
          <Field form={form} name="nextOn" label="下次跟进日期">
            {control => (
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
            )}
          </Field>
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
