import { useState } from 'react'
import type { Meant } from '#kit/declare/form.ts'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Choice } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { FormDialog } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { SNOOZE } from './fields.ts'
import { type InboxRow, inboxApi, namedOf, tellDone } from './inboxApi.tsx'
import { INBOX_LIMITS, INBOX_REFUSALS, nextWeek, refuseUntil, tomorrowMorning } from './rules.ts'

type Values = Meant<typeof SNOOZE>
type Props = { rows: readonly InboxRow[]; onDone: () => void; onClose: () => void }

const shown = (instant: string) => formatInstant(instant).slice(5, 16)

/** Out of sight until a moment, for everybody who shares the inbox. */
export default function SnoozeDialog({ rows, onDone, onClose }: Props) {
  const [now] = useState(() => new Date())
  const [first] = rows
  const momentOf = ({ when, until }: Values) =>
    when === 'tomorrow' ? tomorrowMorning(now) : when === 'week' ? nextWeek(now) : until
  return (
    <FormDialog
      title={first && rows.length === 1 ? `推迟「${first.title}」` : `推迟 ${rows.length} 项待办`}
      submitText="推迟"
      of={SNOOZE}
      known={{ until: tomorrowMorning(now) }}
      refuse={values => {
        const code = refuseUntil(momentOf(values), new Date())
        return code && { field: 'until', message: INBOX_REFUSALS[code] }
      }}
      send={async values => {
        const until = momentOf(values)
        const answer = await inboxApi
          .snooze({ items: namedOf(rows), until, reason: values.reason })
          .catch((error: unknown) => {
            readAgain('inbox')
            throw error
          })
        tellDone(answer, () => `已推迟到 ${shown(until)}`)
        onDone()
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          <FormFields form={form} only={['when']} told={{ when: { group: true } }}>
            {{
              when: control => (
                <Choice
                  {...control}
                  label={SNOOZE.when.label}
                  options={[
                    { value: 'tomorrow' as const, label: `明天（${shown(tomorrowMorning(now))}）` },
                    { value: 'week' as const, label: `下周一（${shown(nextWeek(now))}）` },
                    { value: 'moment' as const, label: '指定时间' },
                  ]}
                  value={form.draft.when}
                  onChange={when => form.change({ when })}
                />
              ),
            }}
          </FormFields>
          {form.draft.when === 'moment' && (
            <FormFields form={form} only={['until']}>
              {{
                until: control => (
                  <InstantPicker
                    {...control}
                    value={form.draft.until ?? ''}
                    firstDay={formatDay(now)}
                    lastDay={addDays(formatDay(now), INBOX_LIMITS.snoozeDays)}
                    onChange={until => form.change({ until })}
                  />
                ),
              }}
            </FormFields>
          )}
          <FormFields form={form} only={['reason']} />
        </>
      )}
    </FormDialog>
  )
}
