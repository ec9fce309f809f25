import { useState } from 'react'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { ChoiceField } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { TextField } from '#web/form/TextField.tsx'
import { type InboxRow, inboxApi, namedOf } from './inboxApi.tsx'
import {
  INBOX_LIMITS,
  INBOX_REFUSALS,
  nextWeek,
  refuseReason,
  refuseUntil,
  tomorrowMorning,
} from './rules.ts'

type Values = { when: 'tomorrow' | 'week' | 'moment'; until: string; reason: string }
type Props = { rows: readonly InboxRow[]; onDone: () => void; onClose: () => void }

const shown = (instant: string) => formatInstant(instant).slice(5, 16)

/** Out of sight until a moment, for everybody who shares the inbox. */
export default function SnoozeDialog({ rows, onDone, onClose }: Props) {
  const [now] = useState(() => new Date())
  const [first] = rows
  const momentOf = ({ when, until }: Values) =>
    when === 'tomorrow' ? tomorrowMorning(now) : when === 'week' ? nextWeek(now) : until
  return (
    <FormDialog<Values>
      title={first && rows.length === 1 ? `推迟「${first.title}」` : `推迟 ${rows.length} 项待办`}
      submitText="推迟"
      initial={{ when: 'tomorrow', until: tomorrowMorning(now), reason: '' }}
      refuse={values => {
        const code = refuseUntil(momentOf(values), new Date())
        if (code) return { field: 'until', message: INBOX_REFUSALS[code] }
        const long = refuseReason(values.reason)
        return long && { field: 'reason', message: INBOX_REFUSALS[long] }
      }}
      onSubmit={async values => {
        const until = momentOf(values)
        await inboxApi
          .snooze({ items: namedOf(rows), until, reason: values.reason })
          .catch((error: unknown) => {
            readAgain('inbox')
            throw error
          })
        toast.success(`已推迟到 ${shown(until)}`)
        onDone()
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <ChoiceField
            form={form}
            name="when"
            label="推迟到"
            options={[
              { value: 'tomorrow', label: `明天（${shown(tomorrowMorning(now))}）` },
              { value: 'week', label: `下周一（${shown(nextWeek(now))}）` },
              { value: 'moment', label: '指定时间' },
            ]}
          />
          {form.draft.when === 'moment' && (
            <Field form={form} name="until" label="时间" required>
              {control => (
                <InstantPicker
                  {...control}
                  value={form.draft.until}
                  firstDay={formatDay(now)}
                  lastDay={addDays(formatDay(now), INBOX_LIMITS.snoozeDays)}
                  onChange={until => form.change({ until })}
                />
              )}
            </Field>
          )}
          <TextField
            form={form}
            name="reason"
            label="推迟原因"
            hint="选填，同事可以看到；到时间自动回到待办"
            count={INBOX_LIMITS.reason}
          />
        </>
      )}
    </FormDialog>
  )
}
