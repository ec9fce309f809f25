// Which pictures of a form are on their way.
import { useRef } from 'react'
import type { Broken } from '../useForm.ts'

export type Uploads = {
  /** Hears of the field whether its picture is under way. */
  at: (field: string) => (busy: boolean) => void
  /** A form is not sent before the pictures that were chosen for it are there. */
  broken: () => Broken | null
}

/** Which pictures of a form are on their way. */
export function useUploads(): Uploads {
  const under = useRef(new Set<string>())
  return {
    at: field => busy => {
      if (busy) under.current.add(field)
      else under.current.delete(field)
    },
    broken: () => {
      const [field] = under.current
      return field === undefined ? null : { field, message: '图片上传中，请稍候' }
    },
  }
}
