import type { ReactNode } from 'react'
import { STEP_UP_ROWS } from '#kit/declare/list.ts'
import { messageOf, saveFile } from '../../client/api.ts'
import { useSession, useViewOnly } from '../../client/session.ts'
import { Button, buttonLook } from '../../controls/Button.tsx'
import { toast } from '../../controls/toast.ts'

type Props = {
  href: string
  /** How many the file holds; null where nobody knows. */
  rows: number | null
  kind?: Parameters<typeof buttonLook>[0]
  onStart?: () => void
  children: ReactNode
}

/** A file behind a button. One that may ask for a fresh second factor is fetched, so that it can be asked for. */
export function FileLink({ href, rows, kind, onStart, children }: Props) {
  const mayAsk = useMayAsk()(rows)
  const viewOnly = useViewOnly()
  if (viewOnly)
    return (
      <Button kind={kind} disabled={viewOnly}>
        {children}
      </Button>
    )
  const save = () => {
    onStart?.()
    if (mayAsk) saveFile(href).catch(error => toast.error(messageOf(error)))
  }
  return (
    <a
      className={buttonLook(kind)}
      href={href}
      download
      onClick={event => {
        if (mayAsk) event.preventDefault()
        save()
      }}
    >
      {children}
    </a>
  )
}

/** Whether a file of so many rows may be refused without a fresh second factor. */
export function useMayAsk(): (rows: number | null) => boolean {
  const { factor } = useSession()
  return rows => factor.has && (rows === null || rows > STEP_UP_ROWS)
}
