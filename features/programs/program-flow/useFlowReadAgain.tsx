import { useEffect, useRef } from 'react'
import { readAgain } from '#web/client/reread.ts'

/** Has the flow read again, which stands around a section of it, whenever what the section shows has moved. Undefined: not read yet. */
export function useFlowReadAgain(stands: string | undefined): void {
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (stands === undefined || seen.current === stands) return
    if (seen.current !== null) readAgain('programFlow')
    seen.current = stands
  }, [stands])
}
