import { SIZE_LIMITS } from '#kit/print/edit/resize.ts'
import { LABEL_LIMITS, type LabelItem } from '#kit/print/label.ts'
import { MEMBER_LEVELS } from '#kit/print/samples.ts'
import { WASHING, WASHING_KEYS, WASHING_SIDE, washingPath } from '#kit/print/washing.ts'
import { Check } from '../../form/Check.tsx'
import { Labelled } from '../../form/Labelled.tsx'
import { Select } from '../../form/Select.tsx'
import { TextInput } from '../../form/TextField.tsx'
import { Choices, LengthEntry, Pair, Panel } from './Entry.tsx'
import styles from './panel.module.css'

export type ItemProps = {
  item: LabelItem
  /** Typing in one field is one step to undo. */
  change: (change: Partial<LabelItem>, field?: string) => void
}

/** Numbers of the documents with the words for them. */
const choices = <V extends 1 | 2 | 3>(words: Readonly<Record<V, string>>) =>
  Object.entries<string>(words).map(([value, label]) => ({ value: Number(value) as V, label }))

const DATE_MODELS = choices({ 1: '2026-01-31', 2: '2026年01月31日', 3: '2026/01/31' })
const TIME_MODELS = choices({ 1: '到秒', 2: '到分', 3: '仅日期' })
const CODE_DISPLAYS = choices({ 1: '条码和数字', 2: '仅条码', 3: '仅数字' })
const BAR_WIDTHS = choices({ 1: '标准（细）', 2: '加宽（易扫）' })
const QR_KINDS = choices({ 1: '店铺微信商城', 2: '店铺小程序', 3: '其他网址' })
const WASHING_DISPLAYS = choices({ 1: '图标和文字', 2: '仅图标', 3: '仅文字' })

type OneProps<K extends keyof LabelItem> = ItemProps & { field: K; label: string }

/** One of an item's numbered choices. */
function Chosen<K extends 'dateTimeModel' | 'codeDisplay' | 'barWidth' | 'qrKind' | 'washingDisplay'>({
  item,
  change,
  field,
  ...shown
}: OneProps<K> & { options: readonly { value: LabelItem[K]; label: string }[]; look?: 'lines' }) {
  return <Choices {...shown} value={item[field]} onChange={value => change({ [field]: value })} />
}

/** One of an item's lengths; typing in it is one step. */
function Size({ item, change, field, label }: OneProps<'barHeight' | 'qrSize' | 'iconSize'>) {
  return (
    <Pair>
      <LengthEntry
        label={label}
        value={item[field]}
        limits={SIZE_LIMITS[field]}
        onChange={value => change({ [field]: value }, field)}
      />
    </Pair>
  )
}

export function DateFields({ item, change }: ItemProps) {
  if (item.kind !== 2 && item.kind !== 3) return null
  return (
    <>
      <Select
        label="日期格式"
        value={item.dateModel}
        options={DATE_MODELS}
        onChange={dateModel => change({ dateModel: dateModel ?? 1 })}
      />
      {item.kind === 3 && (
        <Chosen {...{ item, change }} field="dateTimeModel" label="时间" options={TIME_MODELS} />
      )}
    </>
  )
}

const LEVELS = [
  { value: '', label: '不区分等级' },
  ...MEMBER_LEVELS.map(({ id, name }) => ({ value: id, label: name })),
]

/** Whose price a price of members is. */
export function MemberField({ item, change }: ItemProps) {
  if (!item.key.startsWith('member')) return null
  return (
    <Select
      label="会员等级"
      value={item.memberLevel ?? ''}
      options={LEVELS}
      onChange={level => change({ memberLevel: level ? level : null })}
    />
  )
}

export function CodeFields(props: ItemProps) {
  const { item } = props
  return (
    <Panel title={item.name}>
      <Chosen {...props} field="codeDisplay" label="显示内容" options={CODE_DISPLAYS} />
      {item.codeDisplay !== 3 && (
        <>
          <Chosen {...props} field="barWidth" label="条码宽度" options={BAR_WIDTHS} />
          <Size {...props} field="barHeight" label="条码高度" />
        </>
      )}
    </Panel>
  )
}

export function QrFields(props: ItemProps) {
  const { item, change } = props
  return (
    <Panel title={item.name}>
      <Chosen {...props} field="qrKind" label="扫码后打开" look="lines" options={QR_KINDS} />
      {item.qrKind === 3 && (
        <Labelled label="网址或文字">
          <TextInput
            value={item.qrUrl}
            maxLength={LABEL_LIMITS.qrUrl}
            placeholder="https://"
            onChange={qrUrl => change({ qrUrl }, 'qrUrl')}
          />
        </Labelled>
      )}
      <Size {...props} field="qrSize" label="边长" />
    </Panel>
  )
}

export function WashingFields(props: ItemProps) {
  const { item, change } = props
  return (
    <Panel title={item.name}>
      <Chosen {...props} field="washingDisplay" label="显示内容" options={WASHING_DISPLAYS} />
      <fieldset className={styles.washing}>
        <legend>图标</legend>
        {WASHING_KEYS.map(key => (
          <Check
            key={key}
            checked={item.washing.includes(key)}
            onChange={on =>
              change({ washing: WASHING_KEYS.filter(one => (one === key ? on : item.washing.includes(one))) })
            }
          >
            <svg viewBox={`0 0 ${WASHING_SIDE} ${WASHING_SIDE}`} width={18} height={18} aria-hidden="true">
              <path d={washingPath(key)} />
            </svg>
            {WASHING[key]}
          </Check>
        ))}
      </fieldset>
      {item.washingDisplay !== 3 && <Size {...props} field="iconSize" label="图标边长" />}
    </Panel>
  )
}
