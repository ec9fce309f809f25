import { Select } from '#web/form/Select.tsx'
import { LOOK_PURPOSE_KEYS, LOOK_PURPOSES, type LookPurpose } from './rules.ts'

const OPTIONS = LOOK_PURPOSE_KEYS.map(value => ({ value, label: LOOK_PURPOSES[value] }))

type Props = {
  label: string
  value: LookPurpose | undefined
  onChange: (purpose: LookPurpose | undefined) => void
}

/** What papers are looked at or taken along for, which the log keeps. */
export function Purpose({ label, value, onChange }: Props) {
  return (
    <Select
      label={label}
      value={value}
      options={OPTIONS}
      onChange={onChange}
      placeholder="请选择，将记入日志"
      onSearch={null}
    />
  )
}
