import { addDays, formatDay } from '#kit/time.ts'
import { Choice } from '#web/form/Choice.tsx'
import { InstantPicker } from '#web/form/dates/InstantPicker.tsx'
import { Field, FormGrid } from '#web/form/Field.tsx'
import { CAMPAIGN_FIELDS } from './fields.ts'
import { CAMPAIGN_LIMITS } from './rules.ts'
import type { CampaignForm } from './useCampaignDraft.tsx'

const HOUR_MS = 3_600_000

/** Now, or at a time within the next months. */
export function CampaignSchedule({ form }: { form: CampaignForm }) {
  const { scheduledAt } = form.draft
  const today = formatDay(new Date())
  return (
    <>
      <Choice
        label={CAMPAIGN_FIELDS.scheduledAt.label}
        value={scheduledAt === null ? 'now' : 'later'}
        options={[
          { value: 'now', label: '立即发送' },
          { value: 'later', label: '定时发送' },
        ]}
        onChange={chosen => form.change({ scheduledAt: chosen === 'now' ? null : nextHour() })}
      />
      {scheduledAt !== null && (
        <FormGrid>
          <Field label="计划时间" name="scheduledAt" form={form} required>
            {control => (
              <InstantPicker
                {...control}
                value={scheduledAt}
                onChange={chosen => {
                  form.change({ scheduledAt: chosen })
                  form.touch('scheduledAt')
                }}
                firstDay={today}
                lastDay={addDays(today, CAMPAIGN_LIMITS.scheduleDays)}
              />
            )}
          </Field>
        </FormGrid>
      )}
    </>
  )
}

/** The next full hour that is at least half an hour away. */
function nextHour(): string {
  return new Date(Math.ceil((Date.now() + HOUR_MS / 2) / HOUR_MS) * HOUR_MS).toISOString()
}
