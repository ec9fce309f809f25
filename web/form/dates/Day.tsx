import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { readDay, WRONG_DAY } from '#kit/words/days.ts'
import type { ControlProps } from '#web/form/Field.tsx'
import { AntTheme } from '#web/theme/AntTheme.tsx'
import styles from './picker.module.css'
import { readingOf, TYPED, useTyping } from './TypedInput.tsx'

type Props = Partial<ControlProps> & {
  /** A day as YYYY-MM-DD. */
  value: string | null
  onChange: (day: string | null) => void
  /** Days that can be picked, the first and the last. */
  first?: string
  last?: string
  allowClear?: boolean
  placeholder?: string
  presets?: readonly { label: string; day: string }[]
}

/** One day. */
export function Day({ value, onChange, first, last, presets = [], ...rest }: Props) {
  const { typed, isUnread, panelRender } = useTyping(
    readingOf(readDay, WRONG_DAY, { first, last }),
    rest.allowClear === false ? '请选择日期' : () => onChange(null),
  )
  return (
    <AntTheme>
      {typed(
        <DatePicker
          {...rest}
          className={styles.picker}
          status={rest['aria-invalid'] || isUnread ? 'error' : undefined}
          components={TYPED}
          previewValue={false}
          value={value === null ? null : dayjs(value)}
          onChange={day => onChange(dayjs.isDayjs(day) ? day.format('YYYY-MM-DD') : null)}
          // At once, not when the panel has closed.
          onCalendarChange={day => {
            if (dayjs.isDayjs(day)) onChange(day.format('YYYY-MM-DD'))
          }}
          minDate={first === undefined ? undefined : dayjs(first)}
          maxDate={last === undefined ? undefined : dayjs(last)}
          panelRender={panelRender}
          presets={presets.map(({ label, day }) => ({ label, value: dayjs(day) }))}
        />,
      )}
    </AntTheme>
  )
}
