import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { Button } from '#web/Button.tsx'
import { Suspense } from '#web/Suspense.tsx'

const FeedbackDialog = lazy(() => import('./FeedbackDialog.tsx'))

/** Opens the dialog; a notice of an answer leads here with `?feedback=mine`. */
export function FeedbackButton() {
  const { feedback } = useSearch({ strict: false }) as { feedback?: string }
  const navigate = useNavigate()
  const [pressed, setPressed] = useState(false)
  const close = () => {
    setPressed(false)
    if (feedback === undefined) return
    const without = (search: Record<string, unknown>) => ({ ...search, feedback: undefined })
    void navigate({ to: '.', replace: true, search: without } as never)
  }
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setPressed(true)}>
        意见反馈
      </Button>
      {(pressed || feedback !== undefined) && (
        <Suspense>
          <FeedbackDialog onClose={close} />
        </Suspense>
      )}
    </>
  )
}
