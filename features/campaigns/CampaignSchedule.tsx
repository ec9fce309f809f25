import { Radio } from 'antd'
import { FormField, FormGrid } from '#features/merchants/FormField.tsx'
import { addDays, formatDay } from '#kit/time.ts'
import { InstantPicker } from '#web/InstantPicker.tsx'
import { CAMPAIGN_LIMITS } from './rules.ts'
import type { CampaignForm } from './useCampaignDraft.tsx'

const HOUR_MS = 3_600_000

/** Now, or at a time within the next months. */
export function CampaignSchedule({ form }: { form: CampaignForm }) {
  const { scheduledAt } = form.draft
  const today = formatDay(new Date())
  return (
    <>
      <Radio.Group
        aria-label="发送时间"
        value={scheduledAt === null ? 'now' : 'later'}
        optionType="button"
        buttonStyle="solid"
        options={[
          { value: 'now', label: '立即发送' },
          { value: 'later', label: '定时发送' },
        ]}
        onChange={event => form.change({ scheduledAt: event.target.value === 'now' ? null : nextHour() })}
      />
      {scheduledAt !== null && (
        <FormGrid>
          <FormField label="计划时间" name="scheduledAt" form={form} required>
            {control => (
              <InstantPicker
                {...control}
                value={scheduledAt}
                onChange={chosen => form.change({ scheduledAt: chosen })}
                firstDay={today}
                lastDay={addDays(today, CAMPAIGN_LIMITS.scheduleDays)}
              />
            )}
          </FormField>
        </FormGrid>
      )}
    </>
  )
}

/** The next full hour that is at least half an hour away. */
function nextHour(): string {
  return new Date(Math.ceil((Date.now() + HOUR_MS / 2) / HOUR_MS) * HOUR_MS).toISOString()
}
