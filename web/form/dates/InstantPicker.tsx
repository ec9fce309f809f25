import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { KeyScroll } from '#web/form/KeyScroll.tsx'
import { AntTheme } from '#web/theme/AntTheme.tsx'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './InstantPicker.module.css'
import both from './picker.module.css'

const MINUTES = 'YYYY-MM-DD HH:mm'

type Props = Partial<ControlProps> & {
  /** An instant as ISO text. */
  value: string
  onChange: (instant: string) => void
  /** Days of Asia/Shanghai, the first and the last that can be picked. */
  firstDay?: string
  lastDay?: string
}

/** A day and a time to the minute, by Asia/Shanghai's clock wherever the browser is. One that is not touched keeps its seconds. */
export function InstantPicker({ value, onChange, firstDay, lastDay, ...rest }: Props) {
  const take = (picked: unknown) => {
    if (dayjs.isDayjs(picked)) onChange(instantOf(picked.startOf('minute')))
  }
  return (
    <AntTheme>
      <DatePicker
        {...rest}
        status={rest['aria-invalid'] ? 'error' : undefined}
        className={both.picker}
        classNames={{ popup: { root: styles.instantPickerPopup } }}
        panelRender={panel => <KeyScroll>{panel}</KeyScroll>}
        showTime={{ format: 'HH:mm', minuteStep: 5 }}
        format={MINUTES}
        allowClear={false}
        // The panel stands where a phone's keyboard would.
        inputReadOnly={usePhone()}
        needConfirm={false}
        presets={presets()}
        value={dayjs(formatInstant(value))}
        minDate={firstDay === undefined ? undefined : dayjs(firstDay)}
        maxDate={lastDay === undefined ? undefined : dayjs(lastDay)}
        onChange={take}
        // At once, not when the panel has closed: who types a time and presses the form's button means the time that is typed.
        onCalendarChange={take}
      />
    </AntTheme>
  )
}

type ExactProps = Partial<ControlProps> & {
  /** An instant as ISO text. */
  value: string | null
  onChange: (instant: string | null) => void
  allowClear: boolean
  placeholder: string
  /** Nothing before it can be picked. */
  first?: string
  /** To the minute, where seconds mean nothing. */
  minutes?: true
}

/** A day and a time to the second, by Asia/Shanghai's clock. */
export function ExactInstantPicker({ value, onChange, first, minutes, ...rest }: ExactProps) {
  return (
    <AntTheme>
      <DatePicker
        {...rest}
        status={rest['aria-invalid'] ? 'error' : undefined}
        className={both.picker}
        panelRender={panel => <KeyScroll>{panel}</KeyScroll>}
        showTime={minutes ? { format: 'HH:mm' } : true}
        {...(minutes ? { format: MINUTES } : {})}
        minDate={first === undefined ? undefined : dayjs(formatInstant(first))}
        value={value === null ? null : dayjs(formatInstant(value))}
        onChange={picked => onChange(dayjs.isDayjs(picked) ? instantOf(picked) : null)}
      />
    </AntTheme>
  )
}

function presets(): { label: string; value: Dayjs }[] {
  const today = formatDay(new Date())
  return [
    { label: '明天 9 点', days: 1 },
    { label: '后天 9 点', days: 2 },
    { label: '一周后 9 点', days: 7 },
  ].map(({ label, days }) => ({ label, value: dayjs(`${addDays(today, days)} 09:00`) }))
}

/** The picker knows no zones: what it shows is Shanghai's clock. */
function instantOf(shown: Dayjs): string {
  return new Date(`${shown.format('YYYY-MM-DDTHH:mm:ss')}+08:00`).toISOString()
}
