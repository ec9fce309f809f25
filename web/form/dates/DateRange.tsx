import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { readDay, WRONG_DAY } from '#kit/words/days.ts'
import { Labelled } from '#web/form/Labelled.tsx'
import { AntTheme } from '#web/theme/AntTheme.tsx'
import styles from './picker.module.css'
import { readingOf, TYPED, useTyping } from './TypedInput.tsx'

export type DayPreset = { label: string; from: string; to: string }

type Props = {
  label: string
  /** Days as YYYY-MM-DD, both included; either may be open. */
  from: string | undefined
  to: string | undefined
  onChange: (from: string | undefined, to: string | undefined) => void
  presets?: readonly DayPreset[]
}

/** A first and a last day. */
export function DateRange({ label, from, to, onChange, presets = [] }: Props) {
  const day = (text: string | undefined) => (text ? dayjs(text) : null)
  const { typed, isUnread, panelRender } = useTyping(readingOf(readDay, WRONG_DAY, {}), end =>
    end === 'start' ? onChange(undefined, to) : onChange(from, undefined),
  )
  return (
    <Labelled label={label} wide>
      <AntTheme>
        {typed(
          <DatePicker.RangePicker
            aria-label={label}
            className={styles.picker}
            status={isUnread ? 'error' : undefined}
            components={TYPED}
            previewValue={false}
            value={[day(from), day(to)]}
            onChange={range => onChange(range?.[0]?.format('YYYY-MM-DD'), range?.[1]?.format('YYYY-MM-DD'))}
            panelRender={panelRender}
            presets={presets.map(preset => ({
              label: preset.label,
              value: [dayjs(preset.from), dayjs(preset.to)],
            }))}
            allowEmpty={[true, true]}
            classNames={{ popup: { root: styles.popup } }}
            placeholder={['开始日期', '结束日期']}
          />,
        )}
      </AntTheme>
    </Labelled>
  )
}
