import { useState } from 'react'
import { mmText } from '#kit/print/edit/draft.ts'
import type { Guide } from '#kit/print/edit/snap.ts'
import { umOfMm } from '#kit/print/units.ts'
import { Button } from '../../controls/Button.tsx'
import { Dialog, DialogText } from '../../form/Dialog.tsx'
import { Choices, LengthEntry, Pair } from './Entry.tsx'
import styles from './marks.module.css'
import type { Editor } from './useEditor.ts'
import { guideName } from './useGuidePull.ts'
import type { Guides } from './useGuides.ts'

type Props = { guides: Guides; editor: Editor; onClose: () => void }

const AXES = [
  { value: 'x', label: '竖线' },
  { value: 'y', label: '横线' },
] as const

/** A guide at a typed place, and all that are there: what is pulled out of the rulers, without a pointer. */
export function GuideDialog({ guides, editor, onClose }: Props) {
  const { label } = editor.draft
  const [axis, setAxis] = useState<Guide['axis']>('x')
  const [at, setAt] = useState(umOfMm(10))
  const most = axis === 'x' ? label.width : label.height
  const guide = { axis, at: Math.min(at, most) }
  const isThere = guides.all.some(one => one.axis === guide.axis && one.at === guide.at)
  const add = () => {
    guides.put(null, guide)
    editor.say(`已添加${guideName(guide)}`)
  }
  return (
    <Dialog
      title="参考线"
      onClose={onClose}
      dirty={false}
      footer={
        <>
          <Button onClick={onClose}>关闭</Button>
          <Button
            kind="primary"
            changes={false}
            disabled={isThere && `${mmText(guide.at)} 毫米处已有参考线`}
            onClick={add}
          >
            添加
          </Button>
        </>
      }
    >
      <DialogText>
        <div className={styles.guideForm}>
          <Choices label="方向" value={axis} options={AXES} onChange={setAxis} />
          <Pair>
            <LengthEntry
              label={axis === 'x' ? '距左边' : '距上边'}
              value={guide.at}
              limits={{ least: 0, most }}
              onChange={setAt}
            />
          </Pair>
          {guides.all.length > 0 && (
            <ul className={styles.guideList} aria-label="已有的参考线">
              {guides.all.map(one => (
                <li key={`${one.axis}${one.at}`}>
                  {guideName(one)}
                  <Button
                    kind="link"
                    aria-label={`移除${guideName(one)}`}
                    changes={false}
                    onClick={() => guides.put(one, null)}
                  >
                    移除
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
      </DialogText>
    </Dialog>
  )
}
