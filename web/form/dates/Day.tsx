import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { ControlProps } from '#web/form/Field.tsx'
import { KeyScroll } from '#web/form/KeyScroll.tsx'
import { AntTheme } from '#web/theme/AntTheme.tsx'
import styles from './picker.module.css'

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
  return (
    <AntTheme>
      <DatePicker
        {...rest}
        className={styles.picker}
        status={rest['aria-invalid'] ? 'error' : undefined}
        value={value === null ? null : dayjs(value)}
        onChange={day => onChange(dayjs.isDayjs(day) ? day.format('YYYY-MM-DD') : null)}
        minDate={first === undefined ? undefined : dayjs(first)}
        maxDate={last === undefined ? undefined : dayjs(last)}
        panelRender={panel => <KeyScroll>{panel}</KeyScroll>}
        presets={presets.map(({ label, day }) => ({ label, value: dayjs(day) }))}
      />
    </AntTheme>
  )
}
