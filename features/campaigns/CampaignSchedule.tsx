import { DatePicker, Radio } from 'antd'
import dayjs from 'dayjs'
import { startOfDay } from '#kit/time.ts'
import { FieldBox } from './FieldBox.tsx'
import { CAMPAIGN_LIMITS, type FieldRefusal } from './rules.ts'

type Props = {
  value: string | null
  refusal: FieldRefusal | null
  onChange: (scheduledAt: string | null) => void
}

const LOCAL = 'YYYY-MM-DD HH:mm'
const HOUR_MS = 3_600_000

/** The picker knows no zones: it is given Asia/Shanghai's clock, whatever the browser's is. */
function shown(instant: string) {
  return dayjs(new Date(Date.parse(instant) + 8 * HOUR_MS).toISOString().slice(0, 16).replace('T', ' '))
}

function instantOf(local: string): string {
  const [day = '', time = '00:00'] = local.split(' ')
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return new Date(startOfDay(day).getTime() + (hours * 60 + minutes) * 60_000).toISOString()
}

/** Now, or at a time within the next months. */
export function CampaignSchedule({ value, refusal, onChange }: Props) {
  const today = shown(new Date().toISOString()).startOf('day')
  const nextHour = () => {
    const later = new Date(Math.ceil((Date.now() + HOUR_MS / 2) / HOUR_MS) * HOUR_MS)
    return later.toISOString()
  }
  return (
    <FieldBox field="scheduledAt" refusal={refusal}>
      <div className="campaign-schedule">
        <Radio.Group
          aria-label="发送时间"
          value={value === null ? 'now' : 'later'}
          optionType="button"
          buttonStyle="solid"
          options={[
            { value: 'now', label: '立即发送' },
            { value: 'later', label: '定时发送' },
          ]}
          onChange={event => onChange(event.target.value === 'now' ? null : nextHour())}
        />
        {value !== null && (
          <DatePicker
            aria-label="计划时间"
            showTime={{ format: 'HH:mm', minuteStep: 5 }}
            format={LOCAL}
            allowClear={false}
            value={shown(value)}
            minDate={today}
            maxDate={today.add(CAMPAIGN_LIMITS.scheduleDays, 'day')}
            status={refusal?.field === 'scheduledAt' ? 'error' : undefined}
            onChange={chosen => {
              if (chosen) onChange(instantOf(chosen.format(LOCAL)))
            }}
          />
        )}
      </div>
    </FieldBox>
  )
}
