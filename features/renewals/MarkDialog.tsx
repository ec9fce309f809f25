import { useQueryClient } from '@tanstack/react-query'
import { DatePicker, Form, Input, Radio } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { formatDay } from '#kit/time.ts'
import { api } from '#web/api.ts'
import { FormDialog } from '#web/FormDialog.tsx'
import { toast } from '#web/toast.ts'
import type { renewals } from './contract.ts'
import type { Row } from './deskColumns.tsx'
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

type Values = { state: MarkState; note: string; nextOn: Dayjs | null }

const FIELDS: Record<RenewalRefusal, keyof Values> = {
  MARK_STATE_REQUIRED: 'state',
  LOST_WHY: 'note',
  NOTE_TOO_LONG: 'note',
  NEXT_IN_PAST: 'nextOn',
}
const PRESET_DAYS = [1, 3, 7, 15]

/** Notes what was agreed with a shop about its renewal; earlier notes stand below. */
export default function MarkDialog({ shop, onClose }: { shop: Row; onClose: () => void }) {
  const queries = useQueryClient()
  const today = dayjs(formatDay(new Date()))
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
            nextOn: dayOf(values.nextOn),
          },
          { idempotencyKey },
        )
        toast.success('跟进已保存')
        await Promise.all([
          queries.invalidateQueries({ queryKey: ['renewals'] }),
          queries.invalidateQueries({ queryKey: ['merchants', 'timeline', shop.id] }),
        ])
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <Form.Item name="state" label="跟进结果">
            <Radio.Group
              optionType="button"
              options={(Object.keys(MARK_STATES) as MarkState[]).map(value => ({
                value,
                label: MARK_STATES[value],
              }))}
            />
          </Form.Item>
          <Form.Item noStyle dependencies={['state']}>
            {() => (
              <Form.Item name="note" label={form.getFieldValue('state') === 'lost' ? '流失原因' : '跟进说明'}>
                <Input.TextArea rows={2} count={{ show: true, max: LIMITS.note }} maxLength={500} />
              </Form.Item>
            )}
          </Form.Item>
          <Form.Item name="nextOn" label="下次跟进日期">
            <DatePicker
              className={styles.markNext}
              placeholder="选填"
              minDate={today}
              presets={PRESET_DAYS.map(days => ({
                label: days === 1 ? '明天' : `${days} 天后`,
                value: today.add(days, 'day'),
              }))}
            />
          </Form.Item>
          <section className={styles.markDialogHistory} aria-label="跟进记录">
            <h3>跟进记录</h3>
            <MarkHistory merchantId={shop.id} />
          </section>
        </>
      )}
    </FormDialog>
  )
}

function dayOf(day: Dayjs | null): string | null {
  return day ? day.format('YYYY-MM-DD') : null
}

function refuseValues(values: Values) {
  const code = refuseMark({ ...values, nextOn: dayOf(values.nextOn) }, formatDay(new Date()))
  return code && { field: FIELDS[code], message: RENEWAL_REFUSALS[code] }
}
