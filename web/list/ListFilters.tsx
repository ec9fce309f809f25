import { rangesOf } from '#kit/day-presets.ts'
import type { Words } from '#kit/declare/fields.ts'
import { type Filter, isOffered, type List, paramsOf, TEXT_MAX } from '#kit/declare/list.ts'
import { formatDay } from '#kit/time.ts'
import { DateRange } from '#web/form/dates/DateRange.tsx'
import { useSession } from '../client/session.ts'
import { AppliedText } from '../form/AppliedText.tsx'
import { Labelled } from '../form/Labelled.tsx'
import { optionsOf } from '../form/options.ts'
import { Select } from '../form/Select.tsx'
import { TouchControls } from '../form/TouchControls.tsx'
import styles from './ListFilters.module.css'
import type { Options } from './options.ts'

type Params = Readonly<Record<string, unknown>>
type Props = {
  list: List
  options: Readonly<Record<string, Options>>
  params: Params
  onChange: (changed: Record<string, unknown>) => void
}

/** The advanced filter of a list, a control for each that it declares; each change applies at once. */
export default function ListFilters({ list, options, params, onChange }: Props) {
  const { isVendorStaff } = useSession()
  const shown = Object.entries(list.filters ?? {}).filter(([, filter]) => isOffered(filter, isVendorStaff))
  return (
    <TouchControls>
      <div className={styles.filters}>
        {shown.map(([key, filter]) => (
          <FilterControl
            key={key}
            name={key}
            filter={filter}
            options={options[key]}
            params={params}
            onChange={onChange}
          />
        ))}
      </div>
    </TouchControls>
  )
}

type ControlProps = Pick<Props, 'params' | 'onChange'> & {
  name: string
  filter: Filter
  options: Options | undefined
}

/** The control of one filter, under its label. */
export function FilterControl({ name, filter, options, params, onChange }: ControlProps) {
  const { label, clears = [] } = filter
  const cleared = Object.fromEntries(clears.map(param => [param, undefined]))
  const value = params[name]
  const set = (chosen: unknown) => onChange({ ...cleared, [name]: chosen })
  switch (filter.kind) {
    case 'word': {
      const words = filter.some ?? Object.keys(filter.words)
      const choices = words.map(word => ({ value: word, label: filter.words[word] ?? word }))
      return (
        <Choice
          label={label}
          value={(value ?? filter.initial) as string | undefined}
          options={choices}
          onChange={set}
        />
      )
    }
    case 'number': {
      const choices = filter.choices.map(([number, text]) => ({ value: number, label: text }))
      return <Choice label={label} value={value as number} options={choices} onChange={set} />
    }
    case 'flag':
      return (
        <Choice
          label={label}
          value={value === undefined ? undefined : String(value)}
          options={optionsOf(filter.words as Words)}
          onChange={set}
        />
      )
    case 'text':
      return (
        <Labelled label={label}>
          <AppliedText
            value={(value ?? '') as string}
            maxLength={TEXT_MAX}
            placeholder="全部"
            onApply={text => set(text || undefined)}
          />
        </Labelled>
      )
    case 'days': {
      const [from = name, to = name] = paramsOf(name, filter)
      return (
        <DateRange
          label={label}
          from={params[from] as string | undefined}
          to={params[to] as string | undefined}
          presets={rangesOf(filter.presets ?? [], formatDay(new Date()))}
          onChange={(first, last) => onChange({ ...cleared, [from]: first, [to]: last })}
        />
      )
    }
    default:
      return options && <RowChoice label={label} value={value as number} options={options} onChange={set} />
  }
}

type ChoiceProps<V> = {
  label: string
  value: V | undefined
  options: readonly { value: V; label: string }[] | undefined
  onChange: (value: V | undefined) => void
}

function Choice<V extends string | number>(props: ChoiceProps<V>) {
  return <Select {...props} allowClear placeholder="全部" />
}

type RowChoiceProps = Omit<ChoiceProps<number>, 'options'> & { options: Options }

function RowChoice({ options, ...control }: RowChoiceProps) {
  if ('useRows' in options) return <ChoiceOfRows {...control} useRows={options.useRows} />
  return options.Picker && <options.Picker {...control} />
}

type RowsProps = Omit<ChoiceProps<number>, 'options'> & {
  useRows: Extract<Options, { useRows: unknown }>['useRows']
}

function ChoiceOfRows({ useRows, ...control }: RowsProps) {
  const rows = useRows(true)
  return <Choice {...control} options={rows?.map(({ id, name }) => ({ value: id, label: name }))} />
}
