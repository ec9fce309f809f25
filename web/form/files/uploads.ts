// Which pictures of a form are on their way.
import { useRef } from 'react'
import type { Broken } from '../useForm.ts'

export type Uploads = {
  /** Hears of the field whether its picture is under way. */
  at: (field: string, what?: string) => (busy: boolean) => void
  /** A form is not sent before the pictures that were chosen for it are there. */
  broken: () => Broken | null
}

/** Which pictures of a form are on their way. */
export function useUploads(): Uploads {
  const under = useRef(new Map<string, string>())
  return {
    at:
      (field, what = '图片') =>
      busy => {
        if (busy) under.current.set(field, what)
        else under.current.delete(field)
      },
    broken: () => {
      const [first] = under.current
      return first ? { field: first[0], message: `${first[1]}上传中，请稍候` } : null
    },
  }
}
