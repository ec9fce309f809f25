import { SIZE_LIMITS } from '#kit/print/edit/resize.ts'
import { LABEL_LIMITS } from '#kit/print/label.ts'
import { MEMBER_LEVELS } from '#kit/print/samples.ts'
import { WASHING, WASHING_KEYS, WASHING_SIDE, washingPath } from '#kit/print/washing.ts'
import { Check } from '../../form/Check.tsx'
import { Labelled } from '../../form/Labelled.tsx'
import { Select } from '../../form/Select.tsx'
import { TextInput } from '../../form/TextField.tsx'
import { Choices, LengthEntry, Pair, Panel } from './Entry.tsx'
import type { ItemProps } from './ItemPanel.tsx'
import styles from './panel.module.css'

const DATE_MODELS = [
  { value: 1 as const, label: '2026-01-31' },
  { value: 2 as const, label: '2026年01月31日' },
  { value: 3 as const, label: '2026/01/31' },
]
const TIME_MODELS = [
  { value: 1 as const, label: '到秒' },
  { value: 2 as const, label: '到分' },
  { value: 3 as const, label: '仅日期' },
]

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
        <Choices
          label="时间"
          value={item.dateTimeModel}
          options={TIME_MODELS}
          onChange={dateTimeModel => change({ dateTimeModel })}
        />
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

export function CodeFields({ item, change }: ItemProps) {
  return (
    <Panel title={item.name}>
      <Choices
        label="显示内容"
        value={item.codeDisplay}
        options={[
          { value: 1 as const, label: '条码和数字' },
          { value: 2 as const, label: '仅条码' },
          { value: 3 as const, label: '仅数字' },
        ]}
        onChange={codeDisplay => change({ codeDisplay })}
      />
      {item.codeDisplay !== 3 && (
        <>
          <Choices
            label="条码宽度"
            value={item.barWidth}
            options={[
              { value: 1 as const, label: '标准（细）' },
              { value: 2 as const, label: '加宽（易扫）' },
            ]}
            onChange={barWidth => change({ barWidth })}
          />
          <Pair>
            <LengthEntry
              label="条码高度"
              value={item.barHeight}
              limits={SIZE_LIMITS.barHeight}
              onChange={barHeight => change({ barHeight }, 'barHeight')}
            />
          </Pair>
        </>
      )}
    </Panel>
  )
}

export function QrFields({ item, change }: ItemProps) {
  return (
    <Panel title={item.name}>
      <Choices
        label="扫码后打开"
        look="lines"
        value={item.qrKind}
        options={[
          { value: 1 as const, label: '店铺微信商城' },
          { value: 2 as const, label: '店铺小程序' },
          { value: 3 as const, label: '其他网址' },
        ]}
        onChange={qrKind => change({ qrKind })}
      />
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
      <Pair>
        <LengthEntry
          label="边长"
          value={item.qrSize}
          limits={SIZE_LIMITS.qrSize}
          onChange={qrSize => change({ qrSize }, 'qrSize')}
        />
      </Pair>
    </Panel>
  )
}

export function WashingFields({ item, change }: ItemProps) {
  return (
    <Panel title={item.name}>
      <Choices
        label="显示内容"
        value={item.washingDisplay}
        options={[
          { value: 1 as const, label: '图标和文字' },
          { value: 2 as const, label: '仅图标' },
          { value: 3 as const, label: '仅文字' },
        ]}
        onChange={washingDisplay => change({ washingDisplay })}
      />
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
      {item.washingDisplay !== 3 && (
        <Pair>
          <LengthEntry
            label="图标边长"
            value={item.iconSize}
            limits={SIZE_LIMITS.iconSize}
            onChange={iconSize => change({ iconSize }, 'iconSize')}
          />
        </Pair>
      )}
    </Panel>
  )
}
