import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { addDays, formatDay, formatInstant } from '#kit/time.ts'
import { readMoment, WRONG_MOMENT } from '#kit/words/days.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { AntTheme } from '#web/theme/AntTheme.tsx'
import { usePhone } from '#web/theme/usePhone.ts'
import styles from './InstantPicker.module.css'
import both from './picker.module.css'
import { readingOf, TYPED, useTyping } from './TypedInput.tsx'

const MINUTES = 'YYYY-MM-DD HH:mm'

/** Seconds that are shown nowhere are not typed either. */
function readMinute(text: string): string | null {
  const moment = readMoment(text)
  return moment?.endsWith(':00') ? moment.slice(0, MINUTES.length) : null
}

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
  const { typed, isUnread, panelRender } = useTyping(
    readingOf(readMinute, WRONG_MOMENT, { first: firstDay, last: lastDay }),
    '请选择时间',
  )
  const take = (picked: unknown) => {
    if (dayjs.isDayjs(picked)) onChange(instantOf(picked.startOf('minute')))
  }
  return (
    <AntTheme>
      {typed(
        <DatePicker
          {...rest}
          status={rest['aria-invalid'] || isUnread ? 'error' : undefined}
          className={both.picker}
          classNames={{ popup: { root: styles.instantPickerPopup } }}
          components={TYPED}
          previewValue={false}
          panelRender={panelRender}
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
        />,
      )}
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
  const firstShown = first === undefined ? undefined : formatInstant(first)
  const { typed, isUnread, panelRender } = useTyping(
    readingOf(minutes ? readMinute : readMoment, WRONG_MOMENT, { first: firstShown }),
    rest.allowClear ? () => onChange(null) : '请选择时间',
  )
  return (
    <AntTheme>
      {typed(
        <DatePicker
          {...rest}
          status={rest['aria-invalid'] || isUnread ? 'error' : undefined}
          className={both.picker}
          components={TYPED}
          previewValue={false}
          panelRender={panelRender}
          showTime={minutes ? { format: 'HH:mm' } : true}
          {...(minutes ? { format: MINUTES } : {})}
          needConfirm={false}
          minDate={firstShown === undefined ? undefined : dayjs(firstShown)}
          value={value === null ? null : dayjs(formatInstant(value))}
          onChange={picked => onChange(dayjs.isDayjs(picked) ? instantOf(picked) : null)}
          // As above.
          onCalendarChange={picked => {
            if (dayjs.isDayjs(picked)) onChange(instantOf(picked))
          }}
        />,
      )}
    </AntTheme>
  )
}

type DeadlineProps = Pick<ExactProps, 'value' | 'onChange'> & Partial<ControlProps> & { now: number }

/** By when something is to be done: to the minute, not before `now`, or open. */
export function DeadlinePicker({ now, ...rest }: DeadlineProps) {
  return (
    <ExactInstantPicker
      {...rest}
      minutes
      allowClear
      placeholder="请选择截止时间"
      first={new Date(now).toISOString()}
    />
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
