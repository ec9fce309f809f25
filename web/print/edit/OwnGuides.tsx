import type { KeyboardEvent } from 'react'
import { mmText } from '#kit/print/edit/draft.ts'
import type { Guide } from '#kit/print/edit/snap.ts'
import { type Live, useLive } from './live.ts'
import styles from './marks.module.css'
import type { Editor } from './useEditor.ts'
import { guideName, type useGuidePull } from './useGuidePull.ts'
import type { Guides } from './useGuides.ts'
import type { View } from './useView.ts'

type Props = {
  guides: Guides
  view: View
  live: Live
  editor: Editor
  pull: ReturnType<typeof useGuidePull>
}

const STEPS = { usual: 100, large: 1_000 } as const
const WAYS: Readonly<Record<string, readonly ['x' | 'y', 1 | -1]>> = {
  ArrowLeft: ['x', -1],
  ArrowRight: ['x', 1],
  ArrowUp: ['y', -1],
  ArrowDown: ['y', 1],
}

/** Guides that were pulled out of the rulers: moved by pointer and by arrows, removed by Delete. */
export function OwnGuides({ guides, view, live, editor, pull }: Props) {
  const old = useLive(live, now => now.old)
  const press = (event: KeyboardEvent, guide: Guide) => {
    const [axis, by] = WAYS[event.key] ?? []
    const isRemoved = event.key === 'Delete' || event.key === 'Backspace'
    if (!isRemoved && axis !== guide.axis) return
    event.preventDefault()
    event.stopPropagation()
    if (isRemoved) {
      guides.put(guide, null)
      editor.say(`已移除${guideName(guide)}`)
      return view.scroller.current?.focus()
    }
    const next = { ...guide, at: guide.at + (by ?? 0) * STEPS[event.shiftKey ? 'large' : 'usual'] }
    guides.put(guide, next)
    editor.say(guideName(next))
  }
  return (
    <>
      {guides.all.map((guide, nth) => (
        // biome-ignore lint/a11y/useSemanticElements: a rule can be neither moved nor focused.
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: one that is moved is still the same.
          key={nth}
          role="separator"
          tabIndex={0}
          aria-label={guideName(guide)}
          aria-orientation={guide.axis === 'x' ? 'vertical' : 'horizontal'}
          aria-valuenow={guide.at / 1_000}
          aria-valuetext={`${mmText(guide.at)} 毫米`}
          className={styles.own}
          data-axis={guide.axis}
          data-away={guide === old || undefined}
          style={placeOf(guide, view)}
          onKeyDown={event => press(event, guide)}
          {...pull(guide.axis, guide)}
        />
      ))}
      <Pulled live={live} view={view} />
    </>
  )
}

/** The one that is on its way, with where it is. */
function Pulled({ live, view }: Pick<Props, 'live' | 'view'>) {
  const guide = useLive(live, now => now.guide)
  if (!guide) return null
  return (
    <div
      className={styles.own}
      data-axis={guide.axis}
      data-pulled=""
      style={placeOf(guide, view)}
      aria-hidden="true"
    >
      <span className={styles.ownAt}>{mmText(guide.at)}</span>
    </div>
  )
}

const placeOf = ({ axis, at }: Guide, view: View) => ({
  transform:
    axis === 'x' ? `translateX(${Math.round(view.atX(at))}px)` : `translateY(${Math.round(view.atY(at))}px)`,
})
