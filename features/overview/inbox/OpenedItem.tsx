import { type ComponentType, lazy } from 'react'
import { featureAt } from '#kit/feature-name.ts'
import type { InboxDeskProps } from '#kit/ports/inbox.ts'
import { Suspense } from '#web/controls/Suspense.tsx'

/** A feature that opens its things in place has this file in its folder. */
const loaders = import.meta.glob<{ default: ComponentType<InboxDeskProps> }>('/features/**/InboxDesk.tsx')

const desks = new Map(
  Object.entries(loaders).map(
    ([path, load]) => [featureAt(path.replace(/\/[^/]*$/, '')), lazy(load)] as const,
  ),
)

const featureOf = (source: string) => source.split('.', 1)[0] ?? ''

/** Whether it is opened over the list; otherwise its link leads to where it is done. */
export function opensInPlace({ source }: { source: string }): boolean {
  return desks.has(featureOf(source))
}

/** A thing that waits in the drawer or dialog of its own feature. */
export function OpenedItem({ item, onClose }: InboxDeskProps) {
  const Desk = desks.get(featureOf(item.source))
  if (!Desk) return null
  return (
    <Suspense>
      <Desk key={`${item.source}:${item.id}`} item={item} onClose={onClose} />
    </Suspense>
  )
}
