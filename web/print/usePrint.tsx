import { lazy, type ReactNode, useState } from 'react'
import { Suspense } from '../controls/Suspense.tsx'
import type { PrintJob } from './transport.ts'

export type { PrintJob } from './transport.ts'

const PrintDialog = lazy(() => import('./PrintDialog.tsx'))

/**
 * Asks for a printer and prints: by the desk's program, USB, the browser or as a PDF. Resolves when it is printed or given up;
 * every state is told in words. The page draws `dialog` somewhere.
 */
export function usePrint(): { print: (job: PrintJob) => Promise<void>; dialog: ReactNode } {
  const [open, setOpen] = useState<{ job: PrintJob; done: () => void } | null>(null)
  return {
    print: job => new Promise<void>(done => setOpen({ job, done })),
    dialog: open && (
      <Suspense>
        <PrintDialog
          job={open.job}
          onClose={() => {
            setOpen(null)
            open.done()
          }}
        />
      </Suspense>
    ),
  }
}
