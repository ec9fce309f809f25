import { changedItems } from '#kit/print/edit/draft.ts'
import { SIZE_LIMITS } from '#kit/print/edit/resize.ts'
import { LABEL_LIMITS, type LabelItem } from '#kit/print/label.ts'
import { CUSTOM_TEXT } from '#kit/print/label-text.ts'
import { umOfMm } from '#kit/print/units.ts'
import { Check } from '../../form/Check.tsx'
import { Labelled } from '../../form/Labelled.tsx'
import { TextInput } from '../../form/TextField.tsx'
import { Choices, LengthEntry, Pair, Panel, PointsEntry } from './Entry.tsx'
import {
  CodeFields,
  DateFields,
  type ItemProps,
  MemberField,
  QrFields,
  WashingFields,
} from './ItemFields.tsx'
import styles from './panel.module.css'
import type { Editor } from './useEditor.ts'

const PLACE = { least: 0, most: umOfMm(310) }
const FITS = [
  { value: 'run', label: '不处理' },
  { value: 'wrap', label: '换行' },
  { value: 'shrink', label: '缩小' },
  { value: 'cut', label: '省略' },
] as const

/** All of one item, in millimetres and points. */
export function ItemPanel({ editor, item }: { editor: Editor; item: LabelItem }) {
  const change = (changed: Partial<LabelItem>, field?: string) =>
    editor.change(draft => changedItems(draft, [item.id], changed), field && `${item.id}:${field}`)
  const props = { item, change }
  const hasWords = item.kind !== 4 && item.kind !== 7 && item.kind !== 12
  const hasText = item.kind !== 7 && !(item.kind === 4 && item.codeDisplay === 2)
  return (
    <div>
      {hasWords && (
        <Panel title={item.name}>
          <WhatItSays {...props} />
        </Panel>
      )}
      {item.kind === 4 && <CodeFields {...props} />}
      {item.kind === 7 && <QrFields {...props} />}
      {item.kind === 12 && <WashingFields {...props} />}
      {hasText && <TextLook {...props} />}
      <Panel title="位置">
        <Pair>
          <LengthEntry
            label="左"
            value={item.left}
            limits={PLACE}
            disabled={item.locked}
            onChange={left => change({ left }, 'left')}
          />
          <LengthEntry
            label="上"
            value={item.top}
            limits={PLACE}
            disabled={item.locked}
            onChange={top => change({ top }, 'top')}
          />
        </Pair>
        <Check checked={item.locked} onChange={locked => change({ locked })}>
          锁定位置
        </Check>
      </Panel>
    </div>
  )
}

function WhatItSays({ item, change }: ItemProps) {
  if (item.key === CUSTOM_TEXT)
    return (
      <Labelled label="文字">
        <TextInput
          rows={2}
          value={item.title}
          maxLength={LABEL_LIMITS.customText}
          count={LABEL_LIMITS.customText}
          onChange={title => change({ title }, 'title')}
        />
      </Labelled>
    )
  return (
    <>
      <Choices
        label="显示方式"
        value={item.displayModel}
        options={[
          { value: 1 as const, label: '标题和内容' },
          { value: 2 as const, label: '仅内容' },
        ]}
        onChange={displayModel => change({ displayModel })}
      />
      {item.displayModel === 1 && (
        <Labelled label="标题">
          <TextInput
            value={item.title}
            maxLength={LABEL_LIMITS.title}
            onChange={title => change({ title }, 'title')}
          />
        </Labelled>
      )}
      <DateFields item={item} change={change} />
      <MemberField item={item} change={change} />
      {(item.kind === 5 || item.kind === 6) && (
        <Check checked={item.showUnit} onChange={showUnit => change({ showUnit })}>
          价格后显示单位
        </Check>
      )}
    </>
  )
}

function TextLook({ item, change }: ItemProps) {
  const bold = item.fontStyle === 1 || item.fontStyle === 5
  const underlined = item.fontStyle === 4 || item.fontStyle === 5
  const style = (b: boolean, u: boolean) => ((b ? 1 : 0) + (u ? 4 : 0)) as LabelItem['fontStyle']
  const isFitted = item.kind !== 4 && item.kind !== 12
  return (
    <Panel title="文字样式">
      <Pair>
        <PointsEntry
          label="字号"
          value={item.fontSize}
          limits={LABEL_LIMITS.fontSize}
          onChange={fontSize => change({ fontSize }, 'fontSize')}
        />
        <div className={styles.styles}>
          <Check checked={bold} onChange={on => change({ fontStyle: style(on, underlined) })}>
            加粗
          </Check>
          <Check checked={underlined} onChange={on => change({ fontStyle: style(bold, on) })}>
            下划线
          </Check>
        </div>
      </Pair>
      {isFitted && (
        <>
          <Pair>
            <Check
              checked={item.width !== null}
              onChange={on =>
                change({ width: on ? umOfMm(30) : null, fit: on && item.fit === 'run' ? 'wrap' : item.fit })
              }
            >
              限定宽度
            </Check>
            {item.width !== null && (
              <LengthEntry
                label="宽度"
                value={item.width}
                limits={SIZE_LIMITS.width}
                onChange={width => change({ width }, 'width')}
              />
            )}
          </Pair>
          <Choices label="文字放不下时" value={item.fit} options={FITS} onChange={fit => change({ fit })} />
        </>
      )}
    </Panel>
  )
}
