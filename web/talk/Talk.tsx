// A conversation over the list that it was opened from: what it is about, what was said, who else looks on, what is said next.
import type { ReactNode } from 'react'
import { Drawer, DrawerBody } from '../form/Drawer.tsx'
import { LoadFailure, LoadingLines } from '../form/LoadStates.tsx'
import { PresenceLine } from './Messages.tsx'
import styles from './talk.module.css'

type Asked<Details> = {
  data: Details | undefined
  isError: boolean
  error: unknown
  refetch: () => unknown
}
type DrawerProps<Details> = {
  title: string
  asked: Asked<Details>
  onClose: () => void
  children: (details: Details) => ReactNode
}

/** The drawer of a conversation, until it is there and then. */
export function TalkDrawer<Details>({ title, asked, onClose, children }: DrawerProps<Details>) {
  const { data, isError, error, refetch } = asked
  return (
    <Drawer title={title} onClose={onClose}>
      {data !== undefined ? (
        children(data)
      ) : (
        <DrawerBody>
          {isError ? (
            <LoadFailure error={error} onRetry={() => void refetch()} />
          ) : (
            <LoadingLines lines={10} />
          )}
        </DrawerBody>
      )}
    </Drawer>
  )
}

type Props = {
  title: string
  /** Beside the title: how it stands. */
  tags: ReactNode
  presence: string
  /** Where one may say something. */
  form: ReactNode
  children: ReactNode
}

export function Talk({ title, tags, presence, form, children }: Props) {
  return (
    <>
      <header className={styles.head}>
        <h3>{title}</h3>
        {tags}
      </header>
      <DrawerBody>
        <div className={styles.body}>{children}</div>
      </DrawerBody>
      <PresenceLine text={presence} />
      {form}
    </>
  )
}

/** What can be done with a conversation besides saying something. */
export function TalkSteps({ children }: { children: ReactNode }) {
  return <div className={styles.steps}>{children}</div>
}
