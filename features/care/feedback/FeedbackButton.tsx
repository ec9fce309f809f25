import { lazy, useState } from 'react'
import { usePageSearch } from '#web/client/navigation.ts'
import { Button } from '#web/controls/Button.tsx'
import { Suspense } from '#web/controls/Suspense.tsx'

const FeedbackDialog = lazy(() => import('./FeedbackDialog.tsx'))

/** Opens the dialog; a notice of an answer leads here with `?feedback=mine`. */
export function FeedbackButton() {
  const [{ feedback }, ask] = usePageSearch<'/admin/index'>()
  const [pressed, setPressed] = useState(false)
  const close = () => {
    setPressed(false)
    if (feedback !== undefined) ask({ feedback: undefined }, { replace: true, resetScroll: true })
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
